// @ts-check
/** Small helpers to find and make elements. Text is always set as text, never as HTML. */

/**
 * Find an element that the page must have.
 *
 * @template {Element} T
 * @param {string} id
 * @param {new (...args: any[]) => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`#${id}: expected a ${type.name}`);
  return found;
}

/**
 * Make an element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children Strings become text nodes.
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an SVG element.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return /** @type {SVGElement} */ (made);
}

/**
 * An icon of the sprite, hidden from screen readers: what it stands for says the button's label.
 *
 * @param {string} name
 */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", "aria-hidden": "true" },
    svg("use", { href: `/client/icons.svg#${name}` }),
  );
}

/**
 * Show another icon in a button.
 *
 * @param {Element} button
 * @param {string} name
 */
export function setIcon(button, name) {
  button.querySelector("use")?.setAttribute("href", `/client/icons.svg#${name}`);
}

/**
 * A plain button with an icon.
 *
 * @param {string} label
 * @param {string} sign
 * @param {() => void} act
 */
export function button(label, sign, act) {
  const made = el("button", { type: "button", class: "plain" }, icon(sign), label);
  made.addEventListener("click", act);
  return made;
}

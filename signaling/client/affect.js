// @ts-check
/** What the avatar perceives of the caller's feeling: a dot on a map and a bar an emotion. */

import { el, svg } from "./dom.js";
import { EMOTIONS } from "./words.js";

/**
 * @typedef {object} Affect
 * @property {number} valence -1 to 1.
 * @property {number} arousal -1 to 1.
 * @property {string} emotion
 * @property {Record<string, number>} confidences
 * @property {boolean} face
 * @property {boolean} smiling
 */

export class AffectView {
  /** @type {HTMLElement} */ #words;
  /** @type {SVGElement} */ #dot;
  /** @type {SVGElement} */ #map;
  /** @type {Map<string, {bar: HTMLElement, value: HTMLElement}>} */ #rows = new Map();

  /** @param {HTMLElement} place */
  constructor(place) {
    this.#words = el("p", { class: "affect-words" }, "Nothing noticed yet.");
    this.#dot = svg("circle", { class: "dot", cx: 50, cy: 50, r: 5 });
    this.#map = svg(
      "svg",
      { viewBox: "0 0 100 100", class: "affect-map", role: "img", "aria-label": "No feeling yet" },
      svg("circle", { class: "rim", cx: 50, cy: 50, r: 46 }),
      svg("path", { class: "axis", d: "M4 50H96M50 4V96" }),
      svg("text", { x: 50, y: 13, class: "end" }, "excited"),
      svg("text", { x: 50, y: 92, class: "end" }, "calm"),
      svg("text", { x: 9, y: 47, class: "end start" }, "bad"),
      svg("text", { x: 91, y: 47, class: "end stop" }, "good"),
      this.#dot,
    );
    const list = el("ul", { class: "shares" });
    for (const [name, label] of Object.entries(EMOTIONS)) {
      const bar = el("span", { class: "share-bar" });
      const value = el("span", { class: "share-value" });
      list.append(el("li", {}, el("span", { class: "share-name" }, label), bar, value));
      this.#rows.set(name, { bar, value });
    }
    place.replaceChildren(this.#words, el("div", { class: "affect-row" }, this.#map, list));
  }

  /** @param {Affect} affect */
  show({ valence, arousal, emotion, confidences, face, smiling }) {
    const [x, y] = [bound(valence), bound(arousal)];
    this.#dot.setAttribute("cx", String(50 + 44 * x));
    this.#dot.setAttribute("cy", String(50 - 44 * y));
    const label = EMOTIONS[emotion] ?? String(emotion);
    this.#map.setAttribute(
      "aria-label",
      `${label}: ${tell(x, "unpleasant", "pleasant")}, ${tell(y, "calm", "excited")}`,
    );
    const seen = face ? (smiling ? "Your face is seen, smiling." : "Your face is seen.") : "";
    this.#words.textContent = `You seem ${label}. ${seen || "Judged by voice and words alone."}`;
    for (const [name, { bar, value }] of this.#rows) {
      const share = Math.min(1, Math.max(0, Number(confidences?.[name]) || 0));
      bar.style.setProperty("--share", String(share));
      value.textContent = `${Math.round(share * 100)} %`;
      bar.parentElement?.toggleAttribute("data-top", name === emotion);
    }
  }
}

/** @param {number} value */
function bound(value) {
  return Math.min(1, Math.max(-1, Number(value) || 0));
}

/**
 * @param {number} value
 * @param {string} low
 * @param {string} high
 */
function tell(value, low, high) {
  if (Math.abs(value) < 0.15) return `neither ${low} nor ${high}`;
  return value < 0 ? low : high;
}

// @ts-check
/** The side panel: why the last reply is as it is, what was perceived, and where the time went. */

import { AffectView } from "./affect.js";
import { byId, el } from "./dom.js";
import { Waterfall } from "./waterfall.js";
import { EMOTIONS } from "./words.js";

/**
 * @typedef {object} Plan
 * @property {number} turn
 * @property {Record<string, string>} chain
 * @property {string} user_emotion
 * @property {string} shown_emotion
 * @property {number} intensity 0 to 1.
 */

/** @type {[key: string, question: string][]} */
const STEPS = [
  ["scenario", "What is going on"],
  ["emotion", "How you may feel"],
  ["cause", "Why"],
  ["goal", "What may help"],
  ["rationale", "What it rests on"],
];

export class Panel {
  /** @type {HTMLElement} */ #panel = byId("panel", HTMLElement);
  /** @type {HTMLElement} */ #toggle;
  /** @type {HTMLElement} */ #chain = byId("chain", HTMLElement);
  /** @type {HTMLElement} */ #shown = byId("shown", HTMLElement);
  /** @type {HTMLElement} */ #trip = byId("trip", HTMLElement);
  #affect = new AffectView(byId("affect", HTMLElement));
  #waterfall = new Waterfall(byId("waterfall", HTMLElement));

  /** @param {HTMLElement} toggle The button that opens and closes it. */
  constructor(toggle) {
    this.#toggle = toggle;
    toggle.addEventListener("click", () => this.setOpen(!this.isOpen));
    byId("panel-close", HTMLButtonElement).addEventListener("click", () => {
      this.setOpen(false);
      toggle.focus();
    });
    this.clear();
  }

  get isOpen() {
    return !this.#panel.hidden;
  }

  /** @param {boolean} isOpen */
  setOpen(isOpen) {
    this.#panel.hidden = !isOpen;
    this.#toggle.setAttribute("aria-expanded", String(isOpen));
  }

  clear() {
    this.#chain.replaceChildren(
      el("li", { class: "empty" }, "After the first reply you can read here how it came about."),
    );
    this.#shown.textContent = "";
    this.#trip.textContent = "";
    this.#waterfall.clear();
    this.#affect = new AffectView(byId("affect", HTMLElement));
  }

  /** @param {Plan} plan */
  showPlan({ chain, user_emotion, shown_emotion, intensity }) {
    const steps = STEPS.filter(([key]) => chain?.[key]).map(([key, question]) =>
      el(
        "li",
        { "data-step": key },
        el("span", { class: "step-name" }, question),
        el("span", { class: "step-words" }, String(chain[key])),
      ),
    );
    const none = el("li", { class: "empty" }, "This reply was given without a chain of thought.");
    this.#chain.replaceChildren(...(steps.length ? steps : [none]));
    const strength = Math.round(Math.min(1, Math.max(0, Number(intensity) || 0)) * 100);
    const bar = el("span", { class: "share-bar" });
    bar.style.setProperty("--share", String(strength / 100));
    this.#shown.replaceChildren(
      pair("Understood", EMOTIONS[user_emotion] ?? String(user_emotion)),
      pair("Shown in reply", EMOTIONS[shown_emotion] ?? String(shown_emotion)),
      el(
        "div",
        { class: "strength" },
        el("span", {}, "Strength"),
        bar,
        el("span", { class: "share-value" }, `${strength} %`),
      ),
    );
  }

  /** @param {import("./affect.js").Affect} affect */
  showAffect(affect) {
    if (this.isOpen) this.#affect.show(affect);
  }

  /** @param {import("./waterfall.js").Trace} trace */
  showTrace(trace) {
    this.#waterfall.add(trace);
  }

  /** @param {number} ms To the server and back. */
  showTrip(ms) {
    this.#trip.textContent = `Network: ${Math.max(1, Math.round(ms))} ms to the server and back.`;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
function pair(name, value) {
  return el(
    "div",
    { class: "pair" },
    el("span", { class: "pair-name" }, name),
    el("span", { class: "pair-value" }, value),
  );
}

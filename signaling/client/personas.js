// @ts-check
/** Who to talk to: a radio group of portraits. Arrow keys come with real radio buttons. */

import { el } from "./dom.js";

/** @typedef {import("./api.js").Persona} Persona */

export class PersonaPicker {
  /** @type {HTMLElement} */ #place;
  /** @type {string} */ #group;
  /** @type {(name: string) => void} */ #onPick;

  /**
   * @param {HTMLElement} place A fieldset's inside.
   * @param {string} group Name of the radio group, one a page.
   * @param {(name: string) => void} onPick
   */
  constructor(place, group, onPick) {
    this.#place = place;
    this.#group = group;
    this.#onPick = onPick;
  }

  /**
   * @param {Persona[]} personas
   * @param {string} chosen
   */
  show(personas, chosen) {
    this.#place.replaceChildren(...personas.map((persona) => this.#card(persona, chosen)));
  }

  /** @param {string} name */
  choose(name) {
    for (const input of this.#place.querySelectorAll("input")) input.checked = input.value === name;
  }

  /**
   * @param {Persona} persona
   * @param {string} chosen
   */
  #card({ name, label, age, about, portrait }, chosen) {
    const input = el("input", { type: "radio", name: this.#group, value: name });
    input.checked = name === chosen;
    input.addEventListener("change", () => this.#onPick(name));
    return el(
      "label",
      { class: "persona", title: `${label}: ${about}` },
      input,
      el("img", { src: portrait, alt: "", width: "96", height: "96", loading: "lazy" }),
      el(
        "span",
        { class: "persona-words" },
        el("span", { class: "persona-name" }, label),
        el("span", { class: "persona-about" }, `${age}. ${about}`),
      ),
    );
  }
}

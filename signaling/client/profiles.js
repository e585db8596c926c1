// @ts-check
/** Who to talk to: a radio group of portraits. Arrow keys come with real radio buttons. */

import { el } from "./dom.js";

/** @typedef {import("./api.js").Profile} Profile */

export class ProfilePicker {
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
   * @param {Profile[]} profiles
   * @param {string} chosen
   */
  show(profiles, chosen) {
    this.#place.replaceChildren(...profiles.map((profile) => this.#card(profile, chosen)));
  }

  /** @param {string} name */
  choose(name) {
    for (const input of this.#place.querySelectorAll("input")) input.checked = input.value === name;
  }

  /**
   * @param {Profile} profile
   * @param {string} chosen
   */
  #card({ name, label, age, about, portrait }, chosen) {
    const input = el("input", { type: "radio", name: this.#group, value: name });
    input.checked = name === chosen;
    input.addEventListener("change", () => this.#onPick(name));
    return el(
      "label",
      { class: "profile", title: `${label}: ${about}` },
      input,
      el("img", { src: portrait, alt: "", width: "96", height: "96", loading: "lazy" }),
      el(
        "span",
        { class: "profile-words" },
        el("span", { class: "profile-name" }, label),
        el("span", { class: "profile-about" }, `${age}. ${about}`),
      ),
    );
  }
}

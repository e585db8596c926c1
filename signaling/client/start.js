// @ts-check
/** The start screen: who to call, what will happen, and how the last call ended. */

import { byId } from "./dom.js";
import { PersonaPicker } from "./personas.js";

/** @typedef {import("./api.js").Persona} Persona */
/** @typedef {{voice: boolean, camera: boolean}} Wishes How the caller wants to take part. */

export class StartScreen {
  /** @type {HTMLElement} */ #screen = byId("start", HTMLElement);
  /** @type {HTMLButtonElement} */ #call = byId("start-call", HTMLButtonElement);
  /** @type {HTMLButtonElement} */ #type = byId("start-type", HTMLButtonElement);
  /** @type {HTMLElement} */ #ended = byId("start-ended", HTMLElement);
  /** @type {HTMLImageElement} */ #portrait = byId("start-portrait", HTMLImageElement);
  /** @type {PersonaPicker} */ #picker;
  /** @type {Persona[]} */ #personas = [];
  #name = "";
  /** Address of the photograph that is shown instead of the persona's own face. */
  #photograph = "";

  /**
   * @param {(wishes: Wishes) => void} onCall
   * @param {(name: string) => void} onPick
   */
  constructor(onCall, onPick) {
    const camera = byId("start-camera", HTMLInputElement);
    this.#call.addEventListener("click", () => onCall({ voice: true, camera: camera.checked }));
    this.#type.addEventListener("click", () => onCall({ voice: false, camera: false }));
    this.#picker = new PersonaPicker(byId("start-personas", HTMLElement), "start", onPick);
  }

  /** @param {boolean} isShown */
  setShown(isShown) {
    this.#screen.hidden = !isShown;
    if (isShown) this.#call.focus({ preventScroll: true });
  }

  /**
   * @param {Persona[]} personas
   * @param {string} chosen
   */
  setPersonas(personas, chosen) {
    this.#personas = personas;
    this.#picker.show(personas, chosen);
    byId("start-picker", HTMLElement).hidden = personas.length < 2;
    this.choose(chosen);
  }

  /** @param {string} picture Its address; "" for the persona's own face. */
  setPhotograph(picture) {
    this.#photograph = picture;
    this.choose(this.#name);
  }

  /** @param {boolean} isPossible False where no call can be made at all. */
  setPossible(isPossible) {
    this.#call.disabled = !isPossible;
    this.#type.disabled = !isPossible;
  }

  /** @param {string} words How the last call ended; "" hides them. */
  showEnd(words) {
    this.#ended.textContent = words;
    this.#ended.hidden = !words;
    byId("start-call-label", HTMLElement).dataset.again = String(Boolean(words));
    this.#label();
  }

  /** @param {string} name Of the persona that is shown and called. */
  choose(name) {
    const persona = this.#personas.find((one) => one.name === name);
    if (!persona) return;
    this.#name = name;
    this.#picker.choose(name);
    this.#portrait.src = this.#photograph || persona.portrait;
    this.#portrait.alt = this.#photograph
      ? `The photograph that ${persona.label} wears`
      : `Portrait of ${persona.label}`;
    byId("start-name", HTMLElement).textContent = persona.label;
    this.#label();
  }

  #label() {
    const label = byId("start-call-label", HTMLElement);
    const name = byId("start-name", HTMLElement).textContent;
    label.textContent = label.dataset.again === "true" ? `Call ${name} again` : `Call ${name}`;
  }
}

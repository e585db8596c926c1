// @ts-check
/** The start screen: who to call, what will happen, and how the last call ended. */

import { byId } from "./dom.js";
import { ProfilePicker } from "./profiles.js";

/** @typedef {import("./api.js").Profile} Profile */
/** @typedef {{voice: boolean, camera: boolean}} Wishes How the caller wants to take part. */

export class StartScreen {
  /** @type {HTMLElement} */ #screen = byId("start", HTMLElement);
  /** @type {HTMLButtonElement} */ #call = byId("start-call", HTMLButtonElement);
  /** @type {HTMLButtonElement} */ #type = byId("start-type", HTMLButtonElement);
  /** @type {HTMLElement} */ #ended = byId("start-ended", HTMLElement);
  /** @type {HTMLImageElement} */ #portrait = byId("start-portrait", HTMLImageElement);
  /** @type {ProfilePicker} */ #picker;
  /** @type {Profile[]} */ #profiles = [];

  /**
   * @param {(wishes: Wishes) => void} onCall
   * @param {(name: string) => void} onPick
   */
  constructor(onCall, onPick) {
    const camera = byId("start-camera", HTMLInputElement);
    this.#call.addEventListener("click", () => onCall({ voice: true, camera: camera.checked }));
    this.#type.addEventListener("click", () => onCall({ voice: false, camera: false }));
    this.#picker = new ProfilePicker(byId("start-profiles", HTMLElement), "start", (name) => {
      this.#show(name);
      onPick(name);
    });
  }

  /** @param {boolean} isShown */
  setShown(isShown) {
    this.#screen.hidden = !isShown;
    if (isShown) this.#call.focus({ preventScroll: true });
  }

  /**
   * @param {Profile[]} profiles
   * @param {string} chosen
   */
  setProfiles(profiles, chosen) {
    this.#profiles = profiles;
    this.#picker.show(profiles, chosen);
    byId("start-picker", HTMLElement).hidden = profiles.length < 2;
    this.#show(chosen);
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

  /** @param {string} name */
  #show(name) {
    const profile = this.#profiles.find((one) => one.name === name);
    if (!profile) return;
    this.#picker.choose(name);
    this.#portrait.src = profile.portrait;
    this.#portrait.alt = `Portrait of ${profile.label}`;
    byId("start-name", HTMLElement).textContent = profile.label;
    this.#label();
  }

  #label() {
    const label = byId("start-call-label", HTMLElement);
    const name = byId("start-name", HTMLElement).textContent;
    label.textContent = label.dataset.again === "true" ? `Call ${name} again` : `Call ${name}`;
  }
}

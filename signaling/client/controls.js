// @ts-check
/** The row of buttons and the text box under the avatar. Says what was wanted; decides nothing. */

import { byId, setIcon } from "./dom.js";

/**
 * @typedef {object} Wanted
 * @property {() => void} mute
 * @property {() => void} camera
 * @property {() => void} interrupt
 * @property {() => void} hangUp
 * @property {(text: string) => boolean} say Whether the words could be sent.
 */

export class Controls {
  /** @type {HTMLButtonElement} */ #mute = byId("mute", HTMLButtonElement);
  /** @type {HTMLButtonElement} */ #camera = byId("camera", HTMLButtonElement);
  /** @type {HTMLInputElement} */ #text = byId("text", HTMLInputElement);
  /** @type {HTMLButtonElement} */ #captionsToggle = byId("toggle-captions", HTMLButtonElement);
  /** @type {HTMLElement} */ #captions = byId("captions", HTMLElement);

  /** @param {Wanted} wanted */
  constructor(wanted) {
    this.#mute.addEventListener("click", wanted.mute);
    this.#camera.addEventListener("click", wanted.camera);
    byId("interrupt", HTMLButtonElement).addEventListener("click", wanted.interrupt);
    byId("hang-up", HTMLButtonElement).addEventListener("click", wanted.hangUp);
    this.#captionsToggle.addEventListener("click", () => this.toggleCaptions());
    byId("composer", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.#text.value.trim();
      // What could not be sent stays in the box: nobody likes to type twice.
      if (text && wanted.say(text)) this.#text.value = "";
    });
  }

  /** @param {import("./devices.js").Devices} devices */
  show({ microphone, camera, isMuted }) {
    const isSilent = isMuted || !microphone;
    setIcon(this.#mute, isSilent ? "mic-off" : "mic");
    this.#mute.toggleAttribute("data-off", isSilent);
    const muteLabel = isMuted ? "Unmute microphone" : "Mute microphone";
    name(this.#mute, microphone ? muteLabel : "Use microphone", "M");
    setIcon(this.#camera, camera ? "camera" : "camera-off");
    this.#camera.toggleAttribute("data-off", !camera);
    name(this.#camera, camera ? "Switch camera off" : "Switch camera on", "V");
    this.#text.placeholder = microphone ? "Type instead of talking" : "Type your words here";
  }

  /** @param {number} [chars] */
  setLongestText(chars) {
    if (chars) this.#text.maxLength = chars;
  }

  toggleCaptions() {
    this.#captions.hidden = !this.#captions.hidden;
    this.#captionsToggle.setAttribute("aria-pressed", String(!this.#captions.hidden));
    this.#captions.scrollTop = this.#captions.scrollHeight;
  }

  /** @param {string} text Words that were in the box before. */
  putBack(text) {
    this.#text.value = `${text} ${this.#text.value}`.trim();
  }

  focusText() {
    this.#text.focus();
  }
}

/**
 * @param {HTMLElement} button
 * @param {string} label
 * @param {string} key
 */
function name(button, label, key) {
  button.setAttribute("aria-label", label);
  button.title = `${label} (${key})`;
}

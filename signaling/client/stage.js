// @ts-check
/** The avatar's picture and sound, the light around it, and the label that says what it does. */

import { byId } from "./dom.js";
import { STATES } from "./words.js";

// The avatar's background hardly changes, and a still that stands in for a lost picture may be a
// little old: once a second is enough for both.
const LOOK_MS = 1000;

export class Stage {
  /** @type {HTMLElement} */ #stage = byId("stage", HTMLElement);
  /** @type {HTMLVideoElement} */ #video = byId("avatar", HTMLVideoElement);
  /** @type {HTMLCanvasElement} */ #light = byId("light", HTMLCanvasElement);
  /** @type {HTMLCanvasElement} */ #floor = byId("floor", HTMLCanvasElement);
  /** @type {HTMLCanvasElement} */ #still = byId("still", HTMLCanvasElement);
  /** @type {HTMLElement} */ #state = byId("state", HTMLElement);
  /** @type {HTMLElement} */ #name = byId("avatar-name", HTMLElement);
  /** @type {() => void} */ #onBlocked;
  #timer = 0;

  /** @param {() => void} onBlocked The browser wants a tap before it plays sound. */
  constructor(onBlocked) {
    this.#onBlocked = onBlocked;
    this.#video.addEventListener("playing", () => {
      this.#stage.dataset.picture = "true";
      delete this.#stage.dataset.frozen;
      this.#look();
    });
  }

  /** @param {MediaStream} stream */
  async play(stream) {
    if (this.#video.srcObject !== stream) this.#video.srcObject = stream;
    window.clearInterval(this.#timer);
    this.#timer = window.setInterval(() => this.#look(), LOOK_MS);
    await this.resume();
  }

  /** Start sound and picture; needs a tap where the browser says so. */
  async resume() {
    try {
      await this.#video.play();
      return true;
    } catch (error) {
      if (error instanceof DOMException && error.name === "NotAllowedError") this.#onBlocked();
      return false;
    }
  }

  /**
   * Play through another loudspeaker.
   *
   * @param {string} id "" is the system's own choice.
   */
  async setSpeaker(id) {
    const video = /** @type {any} */ (this.#video);
    if (video.setSinkId && video.sinkId !== id) await video.setSinkId(id).catch(() => undefined);
  }

  /** @param {string} state listening, thinking or speaking. */
  setState(state) {
    this.#stage.dataset.state = state;
    this.say(STATES[state] ?? state);
  }

  /**
   * Say what goes on where there is no state of the avatar.
   *
   * @param {string} words
   */
  say(words) {
    if (this.#state.textContent !== words) this.#state.textContent = words;
  }

  /**
   * @param {{label: string, portrait: string} | undefined} persona
   * @param {string} [photograph] Address of the picture that is shown instead of the own face.
   */
  setAvatar(persona, photograph = "") {
    byId("face-note", HTMLElement).hidden = !photograph;
    this.#name.textContent = persona?.label ?? "";
    this.#video.setAttribute("aria-label", `${persona?.label ?? "The avatar"}, on video`);
    if (persona?.portrait) this.#video.poster = photograph || persona.portrait;
  }

  /** The picture is lost for now: let the last one stand, where a browser would show black. */
  freeze() {
    window.clearInterval(this.#timer);
    delete this.#stage.dataset.state;
    if (this.#stage.dataset.picture) this.#stage.dataset.frozen = "true";
  }

  clear() {
    window.clearInterval(this.#timer);
    this.#video.srcObject = null;
    delete this.#stage.dataset.state;
    delete this.#stage.dataset.frozen;
    delete this.#stage.dataset.picture;
  }

  /**
   * Keep a still, and spread the colours of the picture's edges over the stage, so that it has no
   * edge: its sides over the whole, its lowest line to the floor.
   */
  #look() {
    const pen = this.#light.getContext("2d");
    const floor = this.#floor.getContext("2d");
    const still = this.#still.getContext("2d");
    const { videoWidth: width, videoHeight: height } = this.#video;
    if (!pen || !floor || !still || !width || document.hidden) return;
    const stream = /** @type {MediaStream | null} */ (this.#video.srcObject);
    if (stream?.getVideoTracks()[0]?.readyState !== "live") return;
    still.drawImage(this.#video, 0, 0, this.#still.width, this.#still.height);
    const [across, down] = [this.#light.width, this.#light.height];
    const strip = Math.max(1, Math.round(width * 0.03));
    pen.drawImage(this.#video, 0, 0, strip, height, 0, 0, across / 2, down);
    pen.drawImage(this.#video, width - strip, 0, strip, height, across / 2, 0, across / 2, down);
    floor.drawImage(this.#video, 0, height - 3, width, 2, 0, 0, this.#floor.width, 1);
  }
}

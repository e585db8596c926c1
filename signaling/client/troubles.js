// @ts-check
/** What to tell when something went wrong, and which ways out to offer. */

import { ApiError } from "./api.js";
import { Countdown } from "./countdown.js";
import { MediaProblem } from "./devices.js";
import * as words from "./words.js";

/** @typedef {import("./start.js").Wishes} Wishes */

// Where the server names no time to wait (Retry-After).
const RETRY_S = 10;
const CAMERA_HINT_S = 24;

export class Troubles {
  /** @type {import("./notices.js").Notices} */ #notices;
  /** @type {(wishes: Wishes) => void} */ #callAgain;
  /** @type {() => Promise<unknown>} */ #askForRoom;
  #countdown = new Countdown();
  /** Counts waits for a place and their ends, so that one given up stays so. */
  #wait = 0;

  /**
   * @param {import("./notices.js").Notices} notices
   * @param {(wishes: Wishes) => void} callAgain
   * @param {() => Promise<unknown>} askForRoom Throws what a call would.
   */
  constructor(notices, callAgain, askForRoom) {
    this.#notices = notices;
    this.#callAgain = callAgain;
    this.#askForRoom = askForRoom;
  }

  /** Forget all troubles, and any try that was to come. */
  clear() {
    this.#wait += 1;
    this.#countdown.stop();
    this.#notices.hideAll();
  }

  /** @param {unknown} error A device that was asked for during a call. */
  tell(error) {
    if (!(error instanceof MediaProblem)) throw error;
    this.#notices.show(error.source, { ...words.aboutMedia(error), tone: "problem" });
  }

  /** @param {MediaProblem} problem */
  tellNoCamera(problem) {
    this.#notices.show("camera", { ...words.aboutMedia(problem), forS: CAMERA_HINT_S });
  }

  /**
   * @param {unknown} error
   * @param {Wishes} wishes
   */
  tellNoMicrophone(error, wishes) {
    if (!(error instanceof MediaProblem)) throw error;
    const typing = { voice: false, camera: false };
    this.#notices.show("microphone", {
      ...words.aboutMedia(error),
      tone: "problem",
      actions: [
        { label: "Call and type", act: () => this.#callAgain(typing), isMain: true },
        { label: "Try again", act: () => this.#callAgain(wishes) },
      ],
    });
  }

  /**
   * @param {unknown} error
   * @param {Wishes} wishes
   */
  tellNoCall(error, wishes) {
    if (error instanceof ApiError && error.isFull) return this.#waitForRoom(error, wishes);
    this.clear();
    this.#notices.show("call", {
      ...aboutNoCall(error),
      tone: "problem",
      actions: [{ label: "Try again", act: () => this.#callAgain(wishes), isMain: true }],
    });
  }

  /**
   * @param {unknown} error
   * @param {words.Words} what
   */
  tellNotDeleted(error, what = words.NOT_DELETED) {
    if (!(error instanceof ApiError)) throw error;
    this.#notices.show("not-deleted", { ...what, tone: "problem" });
  }

  tellNoAccess() {
    this.#notices.show("call", { ...words.NO_ACCESS, tone: "problem" });
  }

  /** @param {() => void} retryNow */
  tellLost(retryNow) {
    this.#notices.show("connection", {
      ...(navigator.onLine ? words.RECONNECTING : words.OFFLINE),
      tone: "problem",
      actions: [{ label: "Try now", act: retryNow }],
    });
  }

  /**
   * The browser plays no sound before the page was touched.
   *
   * @param {() => Promise<boolean>} resume Whether it plays now.
   */
  askForTap(resume) {
    const act = () => void resume().then((isHeard) => isHeard && this.#notices.hide("autoplay"));
    this.#notices.show("autoplay", {
      ...words.AUTOPLAY,
      actions: [{ label: "Tap to hear", act, isMain: true }],
    });
  }

  /**
   * @param {ApiError} error
   * @param {Wishes} wishes
   */
  #waitForRoom(error, wishes) {
    const seconds = Math.ceil(error.retryAfterS || RETRY_S);
    this.#notices.show("full", {
      ...words.aboutFull(error.reason, seconds),
      tone: "problem",
      actions: [
        { label: "Try now", act: () => this.#callAgain(wishes), isMain: true },
        { label: "Stop trying", act: () => this.clear() },
      ],
    });
    this.#countdown.start(
      seconds,
      (left) => this.#notices.retext("full", words.aboutFull(error.reason, left).text),
      () => void this.#tryAgain(wishes),
    );
  }

  /**
   * Nobody has pressed anything: microphone and camera are asked for only when there is room.
   *
   * @param {Wishes} wishes
   */
  async #tryAgain(wishes) {
    const wait = this.#wait;
    try {
      await this.#askForRoom();
    } catch (error) {
      if (wait === this.#wait) this.tellNoCall(error, wishes);
      return;
    }
    if (wait === this.#wait) this.#callAgain(wishes);
  }
}

/**
 * @param {unknown} error
 * @returns {words.Words}
 */
function aboutNoCall(error) {
  if (!(error instanceof ApiError)) return words.NO_CONNECTION;
  if (error.reason === "network") return words.UNREACHABLE;
  if (error.isAccess) return words.NO_ACCESS;
  return { title: "The call did not come about", text: error.message };
}

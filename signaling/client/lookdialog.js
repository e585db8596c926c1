// @ts-check
/** What the dialogs for a photograph and for a voice share: consent, work in hand, problems told. */

import { ApiError } from "./api.js";
import { byId } from "./dom.js";

export class LookDialog {
  /** @type {HTMLDialogElement} */ #dialog;
  /** @type {HTMLElement} */ #busy;
  /** @type {HTMLElement} */ #problem;
  isBusy = false;
  /** Counts openings and closings, so that an answer that comes too late is dropped. */
  attempt = 0;

  /** @param {string} id Of the dialog; those of its elements begin with it. */
  constructor(id) {
    this.#dialog = byId(id, HTMLDialogElement);
    this.#busy = byId(`${id}-busy`, HTMLElement);
    this.#problem = byId(`${id}-problem`, HTMLElement);
    this.file = byId(`${id}-file`, HTMLInputElement);
    this.consent = byId(`${id}-consent`, HTMLInputElement);
    this.keep = byId(`${id}-keep`, HTMLButtonElement);
    this.consent.addEventListener("change", () => this.enable());
    this.#dialog.addEventListener("close", () => this.reset());
    // Of itself Enter presses a form's first button: it would close, and all work be lost.
    this.#dialog.addEventListener("keydown", (event) => {
      const isRadioOrBox = event.target instanceof HTMLInputElement && event.target.type !== "file";
      if (event.key === "Enter" && isRadioOrBox) event.preventDefault();
    });
  }

  open() {
    this.reset();
    this.#dialog.showModal();
  }

  close() {
    this.#dialog.close();
  }

  reset() {
    this.attempt += 1;
    this.isBusy = false;
    this.file.value = "";
    this.consent.checked = false;
    this.tell("");
    this.say("");
  }

  /** Enable just the buttons that can be pressed now. */
  enable() {}

  /** Return the file that was chosen; the same one can be chosen again, mended meanwhile. */
  takeFile() {
    const file = this.file.files?.[0];
    this.file.value = "";
    return file;
  }

  /**
   * Ask the server, and say what is wrong.
   *
   * @template T
   * @param {string} words What is being done.
   * @param {() => Promise<T>} work
   * @returns {Promise<T | null>} Null: it cannot be done, or nobody waits for it any more.
   */
  async ask(words, work) {
    const attempt = this.attempt;
    this.isBusy = true;
    this.say(words);
    this.tell("");
    this.enable();
    try {
      const done = await work();
      return attempt === this.attempt ? done : null;
    } catch (error) {
      if (attempt === this.attempt) this.tell(aboutFailure(error));
      return null;
    } finally {
      if (attempt === this.attempt) {
        this.isBusy = false;
        this.say("");
      }
      this.enable();
    }
  }

  /** @param {string} words What is being done. */
  say(words) {
    this.#busy.textContent = words;
    this.#busy.hidden = !words;
  }

  /** @param {string} problem */
  tell(problem) {
    this.#problem.textContent = problem ? problem[0].toUpperCase() + problem.slice(1) : "";
    this.#problem.hidden = !problem;
  }
}

/** @param {unknown} error */
function aboutFailure(error) {
  if (error instanceof ApiError) {
    return error.reason === "network" ? "The server cannot be reached. Try again." : error.message;
  }
  // Moved, changed or deleted since it was chosen, or no picture that this browser knows.
  if (error instanceof DOMException) return "This file cannot be read. Choose it again, or another.";
  throw error;
}

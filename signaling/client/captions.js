// @ts-check
/** What both sides said, as it is said. A later caption of the same turn and role replaces. */

import { el } from "./dom.js";

/** @typedef {{turn: number, role: "caller" | "avatar", text: string, final: boolean}} Caption */

// Far more than anyone scrolls back through, and little enough to stay quick on a phone.
const MOST_LINES = 200;

export class Captions {
  /** @type {HTMLElement} */ #log;
  /** @type {HTMLElement} */ #live;
  /** @type {Map<string, HTMLElement>} */ #lines = new Map();
  #avatar = "";

  /**
   * @param {HTMLElement} log Shows all lines, the latest at its end.
   * @param {HTMLElement} live Tells finished lines to screen readers: a line that still grows
   *     would be read again at every word.
   */
  constructor(log, live) {
    this.#log = log;
    this.#live = live;
  }

  /** @param {string} label Name of who answers from now on. */
  setAvatar(label) {
    this.#avatar = label;
  }

  /** @param {Caption} caption */
  show({ turn, role, text, final }) {
    const key = `${turn}/${role}`;
    let line = this.#lines.get(key);
    if (!text) {
      // Nothing of it was heard after all: a reply that was interrupted before its first word.
      line?.remove();
      this.#lines.delete(key);
      return;
    }
    const isAtEnd = this.#isAtEnd();
    if (!line) {
      line = this.#add(role);
      this.#lines.set(key, line);
    }
    const words = line.querySelector(".caption-words");
    if (words) words.textContent = text;
    line.dataset.final = String(final);
    if (final) this.#live.textContent = `${this.#name(role)}: ${text}`;
    if (isAtEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }

  /** A line of our own between two conversations. @param {string} text */
  rule(text) {
    this.#lines.clear();
    this.#log.append(el("li", { class: "caption-rule" }, text));
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  clear() {
    this.#lines.clear();
    this.#log.replaceChildren();
    this.#live.textContent = "";
  }

  /** @param {"caller" | "avatar"} role */
  #add(role) {
    const line = el(
      "li",
      { class: "caption", "data-role": role },
      el("span", { class: "unseen" }, `${this.#name(role)}: `),
      el("span", { class: "caption-words", dir: "auto" }),
    );
    this.#log.append(line);
    if (this.#log.childElementCount > MOST_LINES) this.#log.firstElementChild?.remove();
    return line;
  }

  /** @param {"caller" | "avatar"} role */
  #name(role) {
    return role === "caller" ? "You" : this.#avatar;
  }

  #isAtEnd() {
    const { scrollTop, scrollHeight, clientHeight } = this.#log;
    return scrollHeight - scrollTop - clientHeight < 24;
  }
}

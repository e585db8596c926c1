// @ts-check
/** Things the caller should know, in plain words, with what to do about them. */

import { el, icon } from "./dom.js";

/**
 * @typedef {object} Notice
 * @property {string} title
 * @property {string} [text]
 * @property {"hint" | "problem"} [tone]
 * @property {{label: string, act: () => void, isMain?: boolean}[]} [actions]
 * @property {number} [forS] Seconds after which it goes by itself; 0 stays.
 */

export class Notices {
  /** @type {HTMLElement} */ #region;
  /** @type {Map<string, {card: HTMLElement, timer: number}>} */ #shown = new Map();

  /** @param {HTMLElement} region */
  constructor(region) {
    this.#region = region;
    for (const dialog of document.querySelectorAll("dialog")) {
      dialog.addEventListener("close", () => this.#rise());
    }
  }

  /**
   * Show a notice; one of the same code is replaced in its place.
   *
   * @param {string} code
   * @param {Notice} notice
   */
  show(code, notice) {
    this.#rise();
    const card = this.#card(code, notice);
    const before = this.#shown.get(code);
    if (before) {
      window.clearTimeout(before.timer);
      before.card.replaceWith(card);
    } else this.#region.append(card);
    const timer = notice.forS ? window.setTimeout(() => this.hide(code), notice.forS * 1000) : 0;
    this.#shown.set(code, { card, timer });
  }

  /** Be in the dialog that is open, if one is: what is under it is neither seen nor pressed. */
  #rise() {
    const place = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    if (this.#region.parentElement !== place) place.prepend(this.#region);
  }

  /**
   * Change the words of a notice that counts, without it being read anew each second.
   *
   * @param {string} code
   * @param {string} text
   */
  retext(code, text) {
    const words = this.#shown.get(code)?.card.querySelector(".notice-text");
    if (words) words.textContent = text;
  }

  /** @param {string} code */
  hide(code) {
    const shown = this.#shown.get(code);
    if (!shown) return;
    window.clearTimeout(shown.timer);
    shown.card.remove();
    this.#shown.delete(code);
  }

  hideAll() {
    for (const code of [...this.#shown.keys()]) this.hide(code);
  }

  /**
   * @param {string} code
   * @param {Notice} notice
   */
  #card(code, { title, text = "", tone = "hint", actions = [], forS = 0 }) {
    const words = el(
      "div",
      { class: "notice-words" },
      el("strong", { class: "notice-title" }, title),
      // The card is read as a whole when it comes; a countdown in it is not read every second.
      el("span", { class: "notice-text", "aria-live": "off" }, text),
    );
    const card = el(
      "div",
      {
        class: "notice",
        "data-code": code,
        "data-tone": tone,
        role: tone === "problem" ? "alert" : "status",
      },
      icon(tone === "problem" ? "alert" : "insight"),
      words,
    );
    if (actions.length) {
      const row = el("div", { class: "notice-actions" });
      for (const { label, act, isMain } of actions) {
        const button = el("button", { type: "button", class: isMain ? "main" : "plain" }, label);
        button.addEventListener("click", act);
        row.append(button);
      }
      card.append(row);
    } else if (!forS || tone === "problem") {
      const close = el(
        "button",
        { type: "button", class: "round small", "aria-label": "Close this message" },
        icon("close"),
      );
      close.addEventListener("click", () => this.hide(code));
      card.append(close);
    }
    return card;
  }
}

// @ts-check
/** Single keys during a call. They rest while one types, while a dialog is open, or switched off. */

const KEY = "rt-avatar.shortcuts";

export class Shortcuts {
  isOn = true;
  /** @type {Record<string, () => void>} */ #actions;
  /** @type {() => void} */ #onEscape;

  /**
   * @param {Record<string, () => void>} actions By lower-case key.
   * @param {() => void} onEscape Works everywhere except in a dialog, which it closes.
   */
  constructor(actions, onEscape) {
    this.#actions = actions;
    this.#onEscape = onEscape;
    try {
      this.isOn = localStorage.getItem(KEY) !== "off";
    } catch {
      // Storage is off: shortcuts are on.
    }
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** @param {boolean} isOn */
  setOn(isOn) {
    this.isOn = isOn;
    try {
      localStorage.setItem(KEY, isOn ? "on" : "off");
    } catch {
      // Storage is off: the choice holds until the page is closed.
    }
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") return this.#onEscape();
    const target = /** @type {Element | null} */ (event.target);
    if (!this.isOn || event.repeat || target?.closest("input, select, textarea")) return;
    const action = this.#actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

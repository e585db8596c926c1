// @ts-check
/** A face or a voice that the caller has chosen, beside the one that the server uses. */

/** @typedef {Record<string, string>} Choice A name in one field, its key in another; or nothing. */

export class Wish {
  /** @type {string} */ #field;
  /** @type {Choice} */ #choice = {};
  /** @type {Map<string, Choice>} All that was chosen, by name. */ #known = new Map();
  #inUse = "";
  #isTakenBack = false;

  /** @param {string} field Of a choice, which holds its name. */
  constructor(field) {
    this.#field = field;
  }

  get choice() {
    return this.#choice;
  }

  /** "" is the persona's own. */
  get name() {
    return this.#choice[this.#field] ?? "";
  }

  get isFulfilled() {
    return this.name === this.#inUse;
  }

  /** @param {Choice} choice */
  set(choice) {
    this.#choice = choice;
    this.#known.set(this.name, choice);
    this.#isTakenBack = false;
  }

  /**
   * The server has told what it uses.
   *
   * @param {string} name
   * @returns {boolean} Whether it is the choice now, having been taken back too early.
   */
  setInUse(name) {
    this.#inUse = name;
    return this.#isTakenBack && this.takeBack();
  }

  /**
   * Something was refused: what the server uses is the choice, until it says otherwise.
   *
   * @returns {boolean} Whether it was another one.
   */
  takeBack() {
    if (this.isFulfilled) return false;
    this.set(this.#known.get(this.#inUse) ?? {});
    this.#isTakenBack = true;
    return true;
  }
}

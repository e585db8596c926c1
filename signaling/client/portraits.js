// @ts-check
/** Whose face is shown: the persona's own, the caller's photograph, or one that is shared. */

import { ApiError, accessToken, deleteOwn, request } from "./api.js";
import { button, el } from "./dom.js";
import { forget, read, write } from "./stored.js";

/** @typedef {{name: string, key: string}} Portrait What the server gave for a photograph. */
/** @typedef {{portrait?: string, key?: string}} FaceChoice Nothing: the persona's own face. */
/** @typedef {Record<string, [number, number]>} Points By name, in pixels. */

const STORED = "rt-avatar.portrait";
// A photograph on a slow line, and a second or two to look for the face in it.
const TIMEOUT_MS = 90_000;

/**
 * Ask the server about a photograph.
 *
 * @param {"" | "/points" | "/preview"} what Keep it, find its points, or show it moving.
 * @param {{picture: string, points?: Points, consent?: boolean}} body `picture` in base64.
 */
export function handIn(what, body) {
  const options = { token: accessToken(), body, timeoutMs: TIMEOUT_MS };
  return request("POST", `/api/portraits${what}`, options);
}

/** The choice of a face. Of the own photograph this browser keeps the key, nothing else has it. */
export class Portraits {
  /** @type {() => void} */ #onChange;
  /** @type {Portrait | null} */ #mine = read(STORED);
  #minePicture = "";
  /** @type {{name: string, picture: string}[]} */ #shared = [];
  #chosen = "";
  canAdd = false;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
    if (this.#mine) void this.#fetchPicture();
  }

  /** @returns {{name: string, picture: string, label: string}[]} */
  get all() {
    const mine = this.#mine && this.#minePicture;
    return [
      ...(mine ? [{ name: this.#mine?.name ?? "", picture: mine, label: "My photograph" }] : []),
      ...this.#shared.map((one) => ({ ...one, label: one.name })),
    ];
  }

  get hasMine() {
    return Boolean(this.#mine && this.#minePicture);
  }

  get chosen() {
    return this.#chosen;
  }

  /** Address of the chosen picture, "" for the persona's own face. */
  get picture() {
    return this.all.find((one) => one.name === this.#chosen)?.picture ?? "";
  }

  /** @returns {FaceChoice} */
  get choice() {
    if (!this.#chosen) return {};
    if (this.#chosen === this.#mine?.name) return { portrait: this.#chosen, key: this.#mine.key };
    return { portrait: this.#chosen };
  }

  /** @param {import("./api.js").Session} session */
  setServer({ portraits = [], limits }) {
    const before = JSON.stringify([this.#shared, this.canAdd]);
    this.#shared = portraits.filter((one) => one.name !== this.#mine?.name);
    this.canAdd = Boolean(limits?.picture_bytes);
    if (JSON.stringify([this.#shared, this.canAdd]) !== before) this.#onChange();
  }

  /** @param {string} name "" for the persona's own face. */
  choose(name) {
    this.#chosen = name;
    this.#onChange();
  }

  /**
   * Take a photograph that was just kept; the one before it is deleted.
   *
   * @param {Portrait} portrait
   * @throws {ApiError} The one before is not deleted.
   */
  async adopt(portrait) {
    const before = read(STORED) ?? this.#mine; // another tab may have replaced it
    this.#mine = portrait;
    write(STORED, this.#mine);
    const isShown = this.#fetchPicture().then(() =>
      this.choose(this.#minePicture ? portrait.name : ""),
    );
    if (before) await deleteOwn("portraits", before);
    await isShown;
  }

  /** Delete the own photograph, here and on the server. */
  async deleteMine() {
    if (!this.#mine) return;
    await deleteOwn("portraits", this.#mine);
    this.forget();
  }

  /** The chosen one is no longer kept on the server. */
  forgetChosen() {
    if (this.#chosen === this.#mine?.name) this.forget();
    else this.choose("");
  }

  /** The own photograph is no longer kept on the server. */
  forget() {
    if (this.#minePicture) URL.revokeObjectURL(this.#minePicture);
    forget(STORED, this.#mine);
    this.#mine = null;
    this.#minePicture = "";
    this.choose("");
  }

  async #fetchPicture() {
    const { name, key } = this.#mine ?? { name: "", key: "" };
    try {
      const picture = await request("GET", `/api/portraits/${encodeURIComponent(name)}`, {
        token: key,
      });
      if (this.#minePicture) URL.revokeObjectURL(this.#minePicture);
      this.#minePicture = URL.createObjectURL(picture);
      this.#onChange();
    } catch (error) {
      if (error instanceof ApiError && error.reason === "no_portrait") this.forget();
    }
  }
}

/** A radio group of faces, and buttons to use a photograph and to delete it. */
export class FacePicker {
  /** @type {HTMLElement} */ #place;
  /** @type {Portraits} */ #portraits;
  /** @type {() => void} */ #onAdd;
  /** @type {() => void} */ #onDelete;

  /**
   * @param {HTMLElement} place Empty.
   * @param {Portraits} portraits
   * @param {() => void} onAdd
   * @param {() => void} onDelete
   */
  constructor(place, portraits, onAdd, onDelete) {
    this.#place = place;
    this.#portraits = portraits;
    this.#onAdd = onAdd;
    this.#onDelete = onDelete;
  }

  show() {
    const { all, canAdd, hasMine } = this.#portraits;
    const hadFocus = this.#place.contains(document.activeElement);
    const children = [];
    if (all.length) {
      const own = { name: "", picture: "", label: "Own face" };
      const group = el("fieldset", { class: "face-choices" });
      group.append(
        el("legend", { class: "unseen" }, "Face"),
        ...[own, ...all].map((face) => this.#choice(face)),
      );
      children.push(group);
    }
    if (canAdd) {
      const label = hasMine ? "Another photograph" : "Use a photograph";
      children.push(button(label, "people", this.#onAdd));
    }
    if (hasMine) {
      children.push(button("Delete my photograph", "close", this.#onDelete));
    }
    this.#place.replaceChildren(...children);
    this.#place.hidden = !children.length;
    if (hadFocus) this.#place.querySelector("input:checked, button")?.focus();
  }

  /** @param {{name: string, picture: string, label: string}} face */
  #choice({ name, picture, label }) {
    const input = el("input", { type: "radio", name: this.#place.id, value: name });
    input.checked = name === this.#portraits.chosen;
    input.addEventListener("change", () => this.#portraits.choose(name));
    const shown = picture ? el("img", { src: picture, alt: "", width: "36", height: "36" }) : "";
    return el("label", { class: "face-choice" }, input, shown, label);
  }
}

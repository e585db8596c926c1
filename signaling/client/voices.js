// @ts-check
/** Whose voice answers: the persona's own, or the caller's, made of ten seconds of sound. */

import { accessToken, deleteOwn, request } from "./api.js";
import { button, el } from "./dom.js";
import { forget, read, write } from "./stored.js";

/** @typedef {{name: string, key: string}} OwnVoice What the server gave for a recording. */
/** @typedef {{voice?: string, voice_key?: string}} VoiceChoice Nothing: the persona's own voice. */

const STORED = "rt-avatar.voice";
// A recording on a slow line, and some seconds to measure the voice.
const TIMEOUT_MS = 90_000;

/**
 * Have a voice made.
 *
 * @param {string} recording In base64.
 * @returns {Promise<OwnVoice>}
 */
export function makeVoice(recording) {
  const body = { recording, consent: true };
  return request("POST", "/api/voices", { token: accessToken(), body, timeoutMs: TIMEOUT_MS });
}

/** The choice of a voice. Of the own one this browser keeps the key, nothing else has it. */
export class Voices {
  /** @type {() => void} */ #onChange;
  /** @type {OwnVoice | null} */ #mine = read(STORED);
  #isChosen = false;
  /** @type {boolean | null} */ canAdd = null; // not told yet

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  get hasMine() {
    return Boolean(this.#mine);
  }

  get isChosen() {
    return this.#isChosen;
  }

  /** @returns {VoiceChoice} */
  get choice() {
    if (!this.#isChosen || !this.#mine) return {};
    return { voice: this.#mine.name, voice_key: this.#mine.key };
  }

  /** @param {import("./api.js").Session} session */
  setServer({ limits }) {
    const canAdd = Boolean(limits?.recording_bytes);
    if (canAdd === this.canAdd) return;
    this.canAdd = canAdd;
    this.#onChange();
  }

  /** @param {boolean} isMine */
  choose(isMine) {
    this.#isChosen = isMine && this.hasMine;
    this.#onChange();
  }

  /**
   * Take a voice that was just made; the one before it is deleted.
   *
   * @param {OwnVoice} voice
   * @throws {import("./api.js").ApiError} The one before is not deleted.
   */
  async adopt(voice) {
    const before = read(STORED) ?? this.#mine; // another tab may have replaced it
    this.#mine = voice;
    write(STORED, voice);
    this.choose(true);
    if (before) await deleteOwn("voices", before);
  }

  /** Delete the own voice, here and on the server. */
  async deleteMine() {
    if (!this.#mine) return;
    await deleteOwn("voices", this.#mine);
    this.forget();
  }

  /** It is no longer kept on the server. */
  forget() {
    forget(STORED, this.#mine);
    this.#mine = null;
    this.choose(false);
  }
}

/** A switch between the persona's voice and the own one, and buttons to make and delete it. */
export class VoicePicker {
  /** @type {HTMLElement} */ #place;
  /** @type {Voices} */ #voices;
  /** @type {() => void} */ #onAdd;
  /** @type {() => void} */ #onDelete;

  /**
   * @param {HTMLElement} place Empty.
   * @param {Voices} voices
   * @param {() => void} onAdd
   * @param {() => void} onDelete
   */
  constructor(place, voices, onAdd, onDelete) {
    this.#place = place;
    this.#voices = voices;
    this.#onAdd = onAdd;
    this.#onDelete = onDelete;
  }

  show() {
    const { canAdd, hasMine } = this.#voices;
    const hadFocus = this.#place.contains(document.activeElement);
    const children = [];
    if (canAdd && hasMine) {
      const group = el("fieldset", { class: "face-choices" });
      const choices = [this.#choice("Usual voice", false), this.#choice("My voice", true)];
      group.append(el("legend", { class: "unseen" }, "Voice"), ...choices);
      children.push(group);
    }
    if (canAdd) {
      const label = hasMine ? "Record my voice again" : "Use your voice";
      children.push(button(label, "mic", this.#onAdd));
    }
    if (hasMine) {
      children.push(button("Delete my voice", "close", this.#onDelete));
    }
    this.#place.replaceChildren(...children);
    this.#place.hidden = !children.length;
    if (hadFocus) this.#place.querySelector("input:checked, button")?.focus();
  }

  /**
   * @param {string} label
   * @param {boolean} isMine
   */
  #choice(label, isMine) {
    const input = el("input", { type: "radio", name: this.#place.id });
    input.checked = isMine === this.#voices.isChosen;
    input.addEventListener("change", () => this.#voices.choose(isMine));
    return el("label", { class: "face-choice" }, input, label);
  }
}

// @ts-check
/** The dialog "Use your voice": record it or choose a file, hear it, consent, use it. */

import { ApiError } from "./api.js";
import { byId } from "./dom.js";
import { inBase64 } from "./files.js";
import { Recorder } from "./recorder.js";
import { makeVoice } from "./voices.js";

const SHORTEST_S = 8; // of a recording made here: five would do, ten are best

export class VoiceDialog {
  /** @type {(voice: import("./voices.js").OwnVoice) => void} */ #onKept;
  /** @type {HTMLDialogElement} */ #dialog = byId("voice", HTMLDialogElement);
  /** @type {HTMLInputElement} */ #file = byId("voice-file", HTMLInputElement);
  /** @type {HTMLInputElement} */ #consent = byId("voice-consent", HTMLInputElement);
  /** @type {HTMLButtonElement} */ #record = byId("voice-record", HTMLButtonElement);
  /** @type {HTMLButtonElement} */ #keep = byId("voice-keep", HTMLButtonElement);
  /** @type {HTMLAudioElement} */ #sound = byId("voice-sound", HTMLAudioElement);
  /** @type {Blob | null} */ #recording = null;
  #recorder = new Recorder();
  #most = Infinity;
  #isBusy = false;
  /** Counts openings and closings, so that an answer that comes too late is dropped. */
  #attempt = 0;

  /** @param {(voice: import("./voices.js").OwnVoice) => void} onKept */
  constructor(onKept) {
    this.#onKept = onKept;
    this.#file.addEventListener("change", () => this.#take(this.#file.files?.[0] ?? null));
    this.#record.addEventListener("click", () => void this.#toggle());
    this.#consent.addEventListener("change", () => this.#enable());
    this.#keep.addEventListener("click", () => void this.#use());
    this.#dialog.addEventListener("close", () => this.#reset());
  }

  /** @param {Record<string, number> | undefined} limits */
  setLimits(limits) {
    this.#most = limits?.recording_bytes || Infinity;
    const days = limits?.voice_days;
    byId("voice-days", HTMLElement).textContent = days
      ? `The voice stays here for ${days} days or until you delete it; no other caller gets it.`
      : "";
  }

  open() {
    this.#reset();
    this.#dialog.showModal();
  }

  #reset() {
    this.#attempt += 1;
    this.#recorder.stop();
    this.#isBusy = false;
    this.#consent.checked = false;
    this.#file.value = "";
    this.#tell("");
    this.#say("");
    this.#take(null);
  }

  /** @param {Blob | null} recording */
  #take(recording) {
    if (this.#sound.src) URL.revokeObjectURL(this.#sound.src);
    this.#sound.removeAttribute("src");
    this.#recording = null;
    if (recording && recording.size > this.#most) {
      const most = Math.floor(this.#most / 1e6);
      this.#tell(`Expected a file of at most ${most} MB. Ten seconds are enough.`);
    } else if (recording) {
      this.#tell("");
      this.#recording = recording;
      this.#sound.src = URL.createObjectURL(recording);
    }
    this.#sound.hidden = !this.#recording;
    this.#enable();
  }

  async #toggle() {
    if (this.#recorder.isRecording) return this.#recorder.stop();
    const attempt = this.#attempt;
    this.#take(null);
    this.#tell("");
    try {
      const recording = await this.#recorder.record((seconds) => {
        this.#say(`${seconds} s recorded${seconds < SHORTEST_S ? ", go on" : ", that is enough"}`);
        this.#enable();
      });
      if (attempt === this.#attempt) this.#take(recording);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      this.#tell("The microphone cannot be used. Allow it in the browser, or choose a file.");
    }
    if (attempt === this.#attempt) this.#say("");
    this.#enable();
  }

  async #use() {
    if (!this.#recording) return;
    const attempt = this.#attempt;
    this.#isBusy = true;
    this.#tell("");
    this.#say("Making your voice…");
    this.#enable();
    try {
      const voice = await makeVoice(await inBase64(this.#recording));
      // Taken even when the dialog was closed: it is kept, and only this page has the key.
      this.#onKept({ name: voice.name, key: voice.key });
      if (attempt === this.#attempt) this.#dialog.close();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isAway = error.reason === "network";
      if (attempt === this.#attempt) {
        this.#tell(isAway ? "The server cannot be reached. Try again." : error.message);
      }
    }
    if (attempt !== this.#attempt) return;
    this.#isBusy = false;
    this.#say("");
    this.#enable();
  }

  #enable() {
    const isRecording = this.#recorder.isRecording;
    this.#record.textContent = isRecording ? "Stop" : "Record";
    this.#record.disabled = this.#isBusy;
    this.#keep.disabled = !this.#recording || !this.#consent.checked || this.#isBusy;
  }

  /** @param {string} words */
  #say(words) {
    const place = byId("voice-busy", HTMLElement);
    place.textContent = words;
    place.hidden = !words;
  }

  /** @param {string} problem */
  #tell(problem) {
    const place = byId("voice-problem", HTMLElement);
    place.textContent = problem ? problem[0].toUpperCase() + problem.slice(1) : "";
    place.hidden = !problem;
  }
}

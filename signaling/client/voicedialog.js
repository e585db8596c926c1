// @ts-check
/** The dialog "Use your voice": record it or choose a file, hear it, consent, use it. */

import { MediaProblem } from "./devices.js";
import { byId } from "./dom.js";
import { inBase64 } from "./files.js";
import { LookDialog } from "./lookdialog.js";
import { Recorder } from "./recorder.js";
import { makeVoice } from "./voices.js";
import * as words from "./words.js";

const SHORTEST_S = 8; // of a recording made here: five would do, ten are best

export class VoiceDialog extends LookDialog {
  /** @type {(voice: import("./voices.js").OwnVoice) => void} */ #onKept;
  /** @type {(isRecording: boolean) => void} */ #onRecording;
  /** @type {HTMLButtonElement} */ #record = byId("voice-record", HTMLButtonElement);
  /** @type {HTMLAudioElement} */ #sound = byId("voice-sound", HTMLAudioElement);
  /** @type {Blob | null} */ #recording = null;
  /** @type {Recorder} */ #recorder;
  #most = Infinity;

  /**
   * @param {(voice: import("./voices.js").OwnVoice) => void} onKept
   * @param {(isRecording: boolean) => void} onRecording
   * @param {import("./recorder.js").OpenMicrophone} openMicrophone
   */
  constructor(onKept, onRecording, openMicrophone) {
    super("voice");
    this.#onKept = onKept;
    this.#onRecording = onRecording;
    this.#recorder = new Recorder(openMicrophone);
    this.file.addEventListener("change", () => this.#take(this.takeFile() ?? null));
    this.#record.addEventListener("click", () => void this.#toggle());
    this.keep.addEventListener("click", () => void this.#use());
  }

  /** @param {Record<string, number> | undefined} limits */
  setLimits(limits) {
    this.#most = limits?.recording_bytes || Infinity;
    const days = limits?.voice_days;
    byId("voice-days", HTMLElement).textContent = days
      ? `The voice stays here for ${days} days or until you delete it; no other caller gets it.`
      : "";
  }

  reset() {
    super.reset();
    this.#recorder.stop();
    this.#take(null);
  }

  /** @param {Blob | null} recording */
  #take(recording) {
    if (this.#sound.src) URL.revokeObjectURL(this.#sound.src);
    this.#sound.removeAttribute("src");
    this.#recording = null;
    if (recording && recording.size > this.#most) {
      const most = Math.floor(this.#most / 1e6);
      this.tell(`Expected a file of at most ${most} MB. Ten seconds are enough.`);
    } else if (recording) {
      this.tell("");
      this.#recording = recording;
      this.#sound.src = URL.createObjectURL(recording);
    }
    this.#sound.hidden = !this.#recording;
    this.enable();
  }

  async #toggle() {
    if (this.#recorder.isRecording) {
      this.#recorder.stop();
      return this.enable();
    }
    const attempt = this.attempt;
    this.#take(null);
    this.tell("");
    const recorded = this.#recorder.record((seconds) => {
      this.say(`${seconds} s recorded${seconds < SHORTEST_S ? ", go on" : ", that is enough"}`);
    });
    this.enable();
    try {
      const recording = await recorded;
      if (recording && attempt === this.attempt) this.#take(recording);
    } catch (error) {
      if (attempt === this.attempt) this.tell(aboutNoRecording(error));
    }
    if (attempt === this.attempt) this.say("");
    this.enable();
  }

  async #use() {
    if (!this.#recording) return;
    const recording = this.#recording;
    const attempt = this.attempt;
    await this.ask("Making your voice…", async () => {
      const { name, key } = await makeVoice(await inBase64(recording));
      // First, so that the focus is back where the dialog was opened when that is drawn anew.
      if (attempt === this.attempt) this.close();
      // Taken even when the dialog was closed: it is kept, and only this page has the key.
      this.#onKept({ name, key });
    });
  }

  enable() {
    const isRecording = this.#recorder.isRecording;
    this.#onRecording(isRecording);
    this.#record.textContent = isRecording ? "Stop" : "Record";
    this.#record.disabled = this.isBusy;
    this.keep.disabled = !this.#recording || !this.consent.checked || this.isBusy;
  }
}

/** @param {unknown} error */
function aboutNoRecording(error) {
  if (!(error instanceof MediaProblem || error instanceof DOMException)) throw error;
  const isDevice = error instanceof MediaProblem;
  const title = isDevice ? words.aboutMedia(error).title : "This browser cannot record";
  return `${title}. You can choose a recording instead.`;
}

// @ts-check
/** Whose face and voice the avatar has for this caller: the choices, and the dialogs for more. */

import { byId } from "./dom.js";
import { PhotographDialog } from "./photograph.js";
import { FacePicker, Portraits } from "./portraits.js";
import { VoiceDialog } from "./voicedialog.js";
import { VoicePicker, Voices } from "./voices.js";

/** @typedef {import("./portraits.js").FaceChoice} FaceChoice */
/** @typedef {import("./voices.js").VoiceChoice} VoiceChoice */

/**
 * @typedef {object} LookEvents
 * @property {() => void} onPicture What is shown for the own face may have changed.
 * @property {(face: FaceChoice) => void} onFace Another face was chosen, or the own one has gone.
 * @property {(voice: VoiceChoice) => void} onVoice The same of a voice.
 * @property {(isRecording: boolean) => void} onRecording The own voice is being recorded.
 * @property {(error: unknown) => void} onNotDeleted
 * @property {(error: unknown) => void} onNotReplaced There is a new one, the old one is still kept.
 */

export class Looks {
  /** @type {LookEvents} */ #events;
  /** @type {import("./devices.js").Devices} */ #devices;
  /** Name of the portrait that is shown; empty: the persona's own face. */
  #face = "";
  /** Name of the own voice that speaks; empty: the persona's. */
  #voice = "";
  #portraits = new Portraits(() => this.#onFace());
  #voices = new Voices(() => this.#onVoice());
  #photograph = new PhotographDialog((portrait) => this.#adopt(this.#portraits, portrait));
  #recording = new VoiceDialog(
    (voice) => this.#adopt(this.#voices, voice),
    (isRecording) => this.#events.onRecording(isRecording),
    (sound) => this.#devices.openForRecording(sound),
  );
  #facePickers = ["start-face", "call-face"].map(
    (id) =>
      new FacePicker(
        byId(id, HTMLElement),
        this.#portraits,
        () => this.#photograph.open(),
        () => void this.#delete(this.#portraits),
      ),
  );
  #voicePickers = ["start-voice", "call-voice"].map(
    (id) =>
      new VoicePicker(
        byId(id, HTMLElement),
        this.#voices,
        () => this.#recording.open(),
        () => void this.#delete(this.#voices),
      ),
  );

  /**
   * @param {LookEvents} events
   * @param {import("./devices.js").Devices} devices
   */
  constructor(events, devices) {
    this.#events = events;
    this.#devices = devices;
  }

  get face() {
    return this.#portraits.choice;
  }

  get voice() {
    return this.#voices.choice;
  }

  /** Address of the picture that is shown; "" for the persona's own face. */
  get picture() {
    return this.#portraits.picture;
  }

  /** @param {import("./api.js").Session} session */
  setServer(session) {
    this.#photograph.setLimits(session.limits);
    this.#portraits.setServer(session);
    this.#recording.setLimits(session.limits);
    this.#voices.setServer(session);
  }

  /**
   * Do without what no call came about with; what the server has lost is forgotten.
   *
   * @param {string} reason
   */
  forgetMissing(reason) {
    if (reason === "no_portrait") this.#portraits.forgetChosen();
    if (reason === "no_voice") this.#voices.forget();
    if (reason !== "uploads_off") return;
    this.#portraits.choose("");
    this.#voices.choose(false);
  }

  /** @param {string} name Of the face that is in use, whatever was chosen. */
  showFace(name) {
    this.#face = name;
    this.#portraits.choose(name);
  }

  /** @param {string} name The same of a voice. */
  showVoice(name) {
    this.#voice = name;
    this.#voices.choose(Boolean(name));
  }

  #onFace() {
    for (const picker of this.#facePickers) picker.show();
    this.#events.onPicture();
    if (this.#portraits.chosen === this.#face) return;
    this.#face = this.#portraits.chosen;
    this.#events.onFace(this.face);
  }

  #onVoice() {
    for (const picker of this.#voicePickers) picker.show();
    const { voice = "" } = this.voice;
    if (voice === this.#voice) return;
    this.#voice = voice;
    this.#events.onVoice(this.voice);
  }

  /**
   * @template T
   * @param {{adopt: (made: T) => Promise<void>}} own
   * @param {T} made
   */
  #adopt(own, made) {
    own.adopt(made).catch((error) => this.#events.onNotReplaced(error));
  }

  /** @param {{deleteMine: () => Promise<void>}} own */
  async #delete(own) {
    await own.deleteMine().catch((error) => this.#events.onNotDeleted(error));
  }
}

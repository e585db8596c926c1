// @ts-check
/** Wires the page: buttons to the call, the call to what is seen. The file to read first. */

import { ApiError, createSession } from "./api.js";
import { Awake } from "./awake.js";
import { Call } from "./call.js";
import { Captions } from "./captions.js";
import { Controls } from "./controls.js";
import { Devices } from "./devices.js";
import { byId } from "./dom.js";
import { Level } from "./level.js";
import { Notices } from "./notices.js";
import { Panel } from "./panel.js";
import { PersonaPicker } from "./personas.js";
import { PhotographDialog } from "./photograph.js";
import { FacePicker, Portraits } from "./portraits.js";
import { SelfView } from "./selfview.js";
import { SettingsDialog } from "./settings.js";
import { Shortcuts } from "./shortcuts.js";
import { Stage } from "./stage.js";
import { StartScreen } from "./start.js";
import { Troubles } from "./troubles.js";
import { VoiceDialog } from "./voicedialog.js";
import { VoicePicker, Voices } from "./voices.js";
import * as words from "./words.js";

/** @typedef {import("./api.js").Persona} Persona */
/** @typedef {import("./api.js").Session} Session */
/** @typedef {import("./call.js").CallState} CallState */
/** @typedef {import("./start.js").Wishes} Wishes */

const HINT_S = 8;

class Page {
  /** @type {Call | null} */ #call = null;
  /** @type {CallState} */ #callState = "idle";
  /** @type {Persona[]} */ #personas = [];
  #persona = "";
  /** Name of the portrait that is shown; empty: the persona's own face. */
  #face = "";
  /** Name of the own voice that speaks; empty: the persona's. */
  #voice = "";
  /** Counts calls begun, so that one given up while the browser asks for devices stays so. */
  #attempt = 0;
  #awake = new Awake();
  #devices = new Devices();
  #notices = new Notices(byId("notices", HTMLElement));
  #troubles = new Troubles(
    this.#notices,
    (wishes) => void this.#begin(wishes),
    () => createSession(this.#persona || undefined),
  );
  #captions = new Captions(byId("captions", HTMLElement), byId("live", HTMLElement));
  #level = new Level(byId("mute", HTMLElement));
  #self = new SelfView();
  #panel = new Panel(byId("toggle-panel", HTMLElement));
  #stage = new Stage(() => this.#troubles.askForTap(() => this.#stage.resume()));
  #start = new StartScreen(
    (wishes) => void this.#begin(wishes),
    (name) => this.#setPersona(name),
  );
  #people = new PersonaPicker(byId("call-personas", HTMLElement), "people", (name) => {
    this.#setPersona(name);
    this.#call?.setPersona(name);
  });
  #portraits = new Portraits(() => this.#onFace());
  #voices = new Voices(() => this.#onVoice());
  #voiceDialog = new VoiceDialog(
    (voice) => this.#voices.adopt(voice),
    (isRecording) => this.#onRecording(isRecording),
  );
  #voicePickers = ["start-voice", "call-voice"].map(
    (id) =>
      new VoicePicker(
        byId(id, HTMLElement),
        this.#voices,
        () => this.#voiceDialog.open(),
        () => void this.#delete(this.#voices),
      ),
  );
  #photograph = new PhotographDialog((portrait) => void this.#portraits.adopt(portrait));
  #facePickers = ["start-face", "call-face"].map(
    (id) =>
      new FacePicker(
        byId(id, HTMLElement),
        this.#portraits,
        () => this.#photograph.open(),
        () => void this.#delete(this.#portraits),
      ),
  );
  #controls = new Controls({
    mute: () => void this.#toggleMicrophone(),
    camera: () => void this.#toggleCamera(),
    interrupt: () => this.#interrupt(),
    hangUp: () => this.#hangUp(),
    say: (text) => this.#say(text),
  });
  #shortcuts = new Shortcuts(
    {
      m: () => this.#inCall(() => void this.#toggleMicrophone()),
      v: () => this.#inCall(() => void this.#toggleCamera()),
      t: () => this.#inCall(() => this.#controls.focusText()),
      c: () => this.#inCall(() => this.#controls.toggleCaptions()),
      b: () => this.#inCall(() => this.#panel.setOpen(!this.#panel.isOpen)),
      "?": () => byId("help", HTMLDialogElement).showModal(),
    },
    () => this.#inCall(() => this.#interrupt()),
  );
  #settings = new SettingsDialog(this.#devices, this.#shortcuts, (error) => {
    this.#troubles.tell(error);
  });

  open() {
    this.#devices.onChange = () => this.#onDevices();
    this.#onDevices();
    this.#devices.onLost = (source) =>
      this.#notices.show("device-lost", { ...words.aboutLost(source), tone: "problem" });
    for (const button of document.querySelectorAll("[data-open]")) {
      button.addEventListener("click", () => this.#openDialog(button.getAttribute("data-open")));
    }
    for (const dialog of document.querySelectorAll("dialog")) closeOnBackdrop(dialog);
    window.addEventListener("online", () => {
      this.#onNetwork();
      this.#call?.retryNow();
    });
    window.addEventListener("offline", () => this.#onNetwork());
    window.addEventListener("pagehide", () => this.#call?.hangUp());
    this.#setState("idle");
    if (!("RTCPeerConnection" in window)) {
      this.#start.setPossible(false);
      this.#notices.show("no-webrtc", { ...words.NO_WEBRTC, tone: "problem" });
    } else void this.#greet();
  }

  /** Learn who can be called. A session is only asked for: the server holds nothing for it. */
  async #greet() {
    try {
      this.#onSession(await createSession());
    } catch (error) {
      if (error instanceof ApiError && error.isAccess) this.#troubles.tellNoAccess();
      // Full or away: pressing the button says so, with what to do.
    }
  }

  /** @param {Wishes} wishes */
  async #begin(wishes) {
    if (this.#call) return;
    this.#troubles.clear();
    this.#setState("connecting");
    this.#attempt += 1;
    const attempt = this.#attempt;
    try {
      await this.#openDevices(wishes);
    } catch (error) {
      if (attempt !== this.#attempt) return;
      this.#setState("idle");
      return this.#troubles.tellNoMicrophone(error, wishes);
    }
    if (attempt !== this.#attempt) return;
    this.#captions.clear();
    this.#panel.clear();
    const call = new Call(() => this.#tracks(), {
      onState: (state) => this.#setState(state),
      onSession: (session, isRenewed) => this.#onCallSession(session, isRenewed),
      onStream: (stream) => void this.#stage.play(stream),
      onMessage: (message) => this.#onMessage(message),
      onEnd: ({ reason, text }) => this.#close(words.aboutEnd(reason, text)),
    });
    this.#call = call;
    try {
      await call.start(this.#persona || undefined, this.#portraits.choice, this.#voices.choice);
    } catch (error) {
      this.#close(null);
      this.#setState("idle");
      // Deleted, or kept for long enough: the next try is with the persona's own face.
      if (error instanceof ApiError && error.reason === "no_portrait") this.#portraits.forget();
      if (error instanceof ApiError && error.reason === "no_voice") this.#voices.forget();
      this.#troubles.tellNoCall(error, wishes);
    }
  }

  /**
   * @param {Wishes} wishes
   * @throws {MediaProblem} No microphone.
   */
  async #openDevices({ voice, camera }) {
    if (!voice) return;
    if (!camera) return this.#devices.openMicrophone();
    const problem = await this.#devices.openBoth();
    if (problem) this.#troubles.tellNoCamera(problem);
  }

  #tracks() {
    return { audio: this.#devices.microphone, video: this.#devices.camera };
  }

  /** @param {CallState} state */
  #setState(state) {
    const before = this.#callState;
    this.#callState = state;
    document.documentElement.dataset.callState = state;
    const isCalling = ["connecting", "connected", "reconnecting"].includes(state);
    this.#awake.set(isCalling);
    if (isCalling === byId("call", HTMLElement).hidden) {
      byId("call", HTMLElement).hidden = !isCalling;
      this.#start.setShown(!isCalling);
      if (isCalling) byId("stage", HTMLElement).focus({ preventScroll: true });
    }
    if (state !== "connected") this.#stage.say(words.CALL_STATES[state]);
    if (state === "connected") this.#notices.hide("connection");
    if (state === "reconnecting") {
      this.#stage.freeze();
      this.#onNetwork();
    }
    if (state === "ended" && before !== "ended") this.#close({ title: "Call ended.", text: "" });
  }

  /**
   * Put everything back to where a call can begin.
   *
   * @param {words.Words | null} how How the call ended, or null when none came about.
   */
  #close(how) {
    this.#call = null;
    this.#devices.close();
    this.#stage.clear();
    this.#notices.hideAll();
    this.#start.showEnd(how ? `${how.title.replace(/\.$/, "")}. ${how.text}`.trim() : "");
  }

  /** @param {Session} session */
  #onSession(session) {
    this.#personas = session.personas ?? [];
    this.#settings.showServer(session);
    this.#photograph.setLimits(session.limits);
    this.#portraits.setServer(session);
    this.#voiceDialog.setLimits(session.limits);
    this.#voices.setServer(session);
    this.#controls.setLongestText(session.limits?.text_chars);
    this.#start.setPersonas(this.#personas, this.#persona || session.persona);
    this.#people.show(this.#personas, this.#persona || session.persona);
    this.#setPersona(this.#persona || session.persona);
  }

  /**
   * @param {Session} session
   * @param {boolean} isRenewed
   */
  #onCallSession(session, isRenewed) {
    this.#onSession(session);
    if (!isRenewed) return;
    this.#captions.rule(words.RENEWED.title);
    this.#notices.show("renewed", { ...words.RENEWED, forS: 2 * HINT_S });
  }

  /** @param {string} name */
  #setPersona(name) {
    this.#persona = name;
    const persona = this.#personas.find((one) => one.name === name);
    this.#people.choose(name);
    this.#stage.setAvatar(persona, this.#portraits.picture);
    this.#captions.setAvatar(persona?.label ?? "Avatar");
  }

  /** Another face was chosen, or one has gone. */
  #onFace() {
    for (const picker of this.#facePickers) picker.show();
    this.#start.setPhotograph(this.#portraits.picture);
    this.#stage.setAvatar(
      this.#personas.find((one) => one.name === this.#persona),
      this.#portraits.picture,
    );
    if (this.#portraits.chosen === this.#face) return;
    this.#face = this.#portraits.chosen;
    this.#call?.setFace(this.#portraits.choice);
  }

  /** Another voice was chosen, or the own one has gone. */
  #onVoice() {
    for (const picker of this.#voicePickers) picker.show();
    const { voice = "" } = this.#voices.choice;
    if (voice === this.#voice) return;
    this.#voice = voice;
    this.#call?.setVoice(this.#voices.choice);
  }

  /** @param {{deleteMine: () => Promise<void>}} looks */
  async #delete(looks) {
    await looks.deleteMine().catch((error) => this.#troubles.tellNotDeleted(error));
  }

  /**
   * What is read aloud for the own voice is not said to the avatar, which is quiet meanwhile.
   *
   * @param {boolean} isRecording
   */
  #onRecording(isRecording) {
    this.#devices.setHeld(isRecording);
    if (isRecording) this.#interrupt();
  }

  /** @param {Record<string, any>} message docs/protocol.md; what is not known is ignored. */
  #onMessage(message) {
    switch (message.type) {
      case "hello":
        this.#settings.showServer(/** @type {Session} */ (message));
        break;
      case "state":
        this.#stage.setState(String(message.state));
        break;
      case "caption":
        this.#captions.show(/** @type {any} */ (message));
        break;
      case "plan":
        this.#panel.showPlan(/** @type {any} */ (message));
        break;
      case "affect":
        this.#panel.showAffect(/** @type {any} */ (message));
        break;
      case "trace":
        this.#panel.showTrace(/** @type {any} */ (message));
        break;
      case "persona":
        this.#setPersona(String(message.name));
        break;
      case "pong":
        this.#panel.showTrip(performance.now() - Number(message.t));
        break;
      case "notice":
        this.#notices.show(`server-${message.code}`, { title: String(message.text), forS: HINT_S });
    }
  }

  /** @param {string} text */
  #say(text) {
    const isSent = this.#call?.send({ type: "text", text }) ?? false;
    if (!isSent) {
      this.#notices.show("unsent", {
        title: "Not sent yet",
        text: "There is no connection just now. Your words are kept in the box.",
        forS: HINT_S,
      });
    }
    return isSent;
  }

  #hangUp() {
    if (this.#call) return this.#call.hangUp();
    this.#attempt += 1;
    this.#devices.close();
    this.#setState("idle");
  }

  #interrupt() {
    this.#call?.send({ type: "interrupt" });
  }

  async #toggleMicrophone() {
    if (this.#devices.microphone) return this.#devices.setMuted(!this.#devices.isMuted);
    await this.#devices.openMicrophone().catch((error) => this.#troubles.tell(error));
    if (this.#devices.microphone) this.#devices.setMuted(false);
  }

  async #toggleCamera() {
    if (this.#devices.camera) return this.#devices.closeCamera();
    await this.#devices.openCamera().catch((error) => this.#troubles.tell(error));
  }

  #onDevices() {
    this.#controls.show(this.#devices);
    this.#self.show(this.#devices.camera);
    this.#level.watch(this.#devices.microphone);
    void this.#call?.setTracks(this.#tracks()).catch(() => undefined);
    void this.#stage.setSpeaker(this.#devices.chosen.audiooutput);
    void this.#settings.refresh();
  }

  #onNetwork() {
    if (this.#callState !== "reconnecting") return;
    this.#troubles.tellLost(() => this.#call?.retryNow());
  }

  /** @param {() => void} act */
  #inCall(act) {
    if (this.#call) act();
  }

  /** @param {string | null} id */
  #openDialog(id) {
    if (id === "settings") this.#settings.open();
    else if (id) byId(id, HTMLDialogElement).showModal();
  }
}

/** @param {HTMLDialogElement} dialog */
function closeOnBackdrop(dialog) {
  let isPressed = false;
  dialog.addEventListener("pointerdown", (event) => (isPressed = event.target === dialog));
  dialog.addEventListener("click", (event) => {
    // Not of what was begun inside, as when words are marked.
    if (event.target === dialog && isPressed) dialog.close();
  });
}

new Page().open();

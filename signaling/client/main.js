// @ts-check
/** Wires the page: buttons to the call, the call to what is seen. The file to read first. */

import { ApiError, createSession } from "./api.js";
import { Awake } from "./awake.js";
import { Call } from "./call.js";
import { Captions } from "./captions.js";
import { Controls } from "./controls.js";
import { Devices } from "./devices.js";
import { connectDialogs } from "./dialogs.js";
import { byId } from "./dom.js";
import { Level } from "./level.js";
import { Looks } from "./looks.js";
import { Messages } from "./messages.js";
import { Notices } from "./notices.js";
import { Panel } from "./panel.js";
import { PersonaPicker } from "./personas.js";
import { SelfView } from "./selfview.js";
import { SettingsDialog } from "./settings.js";
import { Shortcuts } from "./shortcuts.js";
import { Stage } from "./stage.js";
import { StartScreen } from "./start.js";
import { Troubles } from "./troubles.js";
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
  #looks = new Looks(
    {
      onPicture: () => this.#onPicture(),
      onFace: (face) => this.#call?.setFace(face),
      onVoice: (voice) => this.#call?.setVoice(voice),
      onRecording: (isRecording) => this.#onRecording(isRecording),
      onNotDeleted: (error) => this.#troubles.tellNotDeleted(error),
      onNotReplaced: (error) => this.#troubles.tellNotDeleted(error, words.NOT_REPLACED),
    },
    this.#devices,
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
  #messages = new Messages(this.#stage, this.#captions, this.#panel, this.#notices, {
    onServer: (session) => this.#settings.showServer(session),
    onPersona: (name) => this.#setPersona(name),
  });

  open() {
    this.#devices.onChange = () => this.#onDevices();
    this.#onDevices();
    this.#devices.onOpen = (source) => {
      this.#notices.hide(source);
      this.#notices.hide(`lost-${source}`);
    };
    this.#devices.onLost = (source) =>
      this.#notices.show(`lost-${source}`, { ...words.aboutLost(source), tone: "problem" });
    connectDialogs((id) => this.#openDialog(id));
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
      this.#devices.close();
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
      onMessage: (message) => this.#messages.take(message),
      onFace: (name) => this.#looks.showFace(name),
      onVoice: (name) => this.#looks.showVoice(name),
      onUnsent: (text) => this.#takeBack(text),
      onEnd: ({ reason, text }) => this.#close(words.aboutEnd(reason, text)),
    });
    this.#call = call;
    try {
      await call.start(this.#persona || undefined, this.#looks.face, this.#looks.voice);
    } catch (error) {
      this.#close(null);
      this.#setState("idle");
      // Deleted, or kept for long enough: the next try is with the persona's own face.
      if (error instanceof ApiError) this.#looks.forgetMissing(error.reason);
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
    this.#looks.setServer(session);
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
    this.#start.choose(name);
    this.#people.choose(name);
    this.#stage.setAvatar(persona, this.#looks.picture);
    this.#captions.setAvatar(persona?.label ?? "Avatar");
  }

  #onPicture() {
    this.#start.setPhotograph(this.#looks.picture);
    this.#stage.setAvatar(
      this.#personas.find((one) => one.name === this.#persona),
      this.#looks.picture,
    );
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

  /** @param {string} text */
  #say(text) {
    const isSent = this.#call?.say(text) ?? false;
    if (!isSent) {
      this.#notices.show("unsent", {
        title: "Not sent yet",
        text: "There is no connection just now. Your words are kept in the box.",
        forS: HINT_S,
      });
    }
    return isSent;
  }

  /** @param {string} text Typed words that may have been lost. */
  #takeBack(text) {
    this.#controls.putBack(text);
    this.#notices.show("unsent", {
      title: "Perhaps not sent",
      text: "The connection was lost, and your words with it, it seems. They are in the box again.",
      forS: 2 * HINT_S,
    });
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
    void this.#devices.findSpeaker().then((id) => this.#stage.setSpeaker(id));
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

  /** @param {string} id */
  #openDialog(id) {
    if (id === "settings") this.#settings.open();
    else byId(id, HTMLDialogElement).showModal();
  }
}

new Page().open();

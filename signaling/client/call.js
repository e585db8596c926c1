// @ts-check
/** A call: its session, its link, and coming back after the network was lost. */

import { ApiError, createSession, endSession, renewIceServers } from "./api.js";
import { Link } from "./link.js";
import { Wish } from "./wish.js";

/** @typedef {import("./api.js").Session} Session */
/** @typedef {"idle" | "connecting" | "connected" | "reconnecting" | "ended"} CallState */
/** @typedef {{audio: MediaStreamTrack | null, video: MediaStreamTrack | null}} Tracks */

/**
 * @typedef {object} CallEvents
 * @property {(state: CallState) => void} onState
 * @property {(session: Session, isRenewed: boolean) => void} onSession
 * @property {(stream: MediaStream) => void} onStream
 * @property {(message: Record<string, any>) => void} onMessage
 * @property {(name: string) => void} onFace Another face than the one chosen last is in use.
 * @property {(name: string) => void} onVoice The same of a voice.
 * @property {(text: string) => void} onUnsent Typed words that may have been lost with a link.
 * @property {(end: {reason: string, text: string}) => void} onEnd Said once, not after `hangUp`.
 */

// Quick first, since most losses are a change of network; then kind to a server in trouble.
const BACKOFF_MS = [300, 1000, 2000, 4000, 8000];

export class Call {
  /** @type {CallEvents} */ #events;
  /** @type {() => Tracks} */ #tracks;
  /** @type {Session | null} */ #session = null;
  /** @type {Link | null} */ #link = null;
  /** @type {Link | null} A link that is being made. */ #opening = null;
  /** @type {string | undefined} */ #persona;
  #answering = ""; // the persona that the server told last
  #face = new Wish("portrait");
  #voice = new Wish("voice");
  /** @type {{text: string, t: number}[]} Typed words that nothing proves to have arrived. */
  #unproved = [];
  #isOver = false;
  /** Cuts a wait between two tries short; set while there is one. */
  #hurry = () => {};

  /**
   * @param {() => Tracks} tracks What is sent now; asked again at every reconnect.
   * @param {CallEvents} events
   */
  constructor(tracks, events) {
    this.#tracks = tracks;
    this.#events = events;
  }

  /**
   * Call.
   *
   * @param {string} [persona]
   * @param {import("./portraits.js").FaceChoice} [face]
   * @param {import("./voices.js").VoiceChoice} [voice]
   * @throws {ApiError} The server did not take the call.
   * @throws {Error} No connection came about.
   */
  async start(persona, face = {}, voice = {}) {
    this.#persona = persona;
    this.#face.set(face);
    this.#voice.set(voice);
    this.#events.onState("connecting");
    try {
      this.#session = await createSession(persona, { ...face, ...voice });
      if (this.#isOver) return void endSession(this.#session);
      this.#events.onSession(this.#session, false);
      await this.#connect();
    } catch (error) {
      if (this.#isOver) return;
      this.#finish();
      throw error;
    }
  }

  /**
   * @param {Record<string, unknown>} message
   * @returns {boolean} Whether it could be sent.
   */
  send(message) {
    return this.#link?.send(message) ?? false;
  }

  /**
   * Send typed words; of those that are lost on their way tells `onUnsent`.
   *
   * @param {string} text
   * @returns {boolean} Whether they could be sent.
   */
  say(text) {
    if (!this.send({ type: "text", text })) return false;
    // A channel stays "open" for seconds after the network has gone. It keeps the order, so that
    // the answer to what comes behind the words proves that they came, too.
    const t = performance.now();
    this.#unproved.push({ text, t });
    this.send({ type: "ping", t });
    return true;
  }

  /** @param {string} name */
  setPersona(name) {
    this.#persona = name;
    return this.send({ type: "persona", name });
  }

  /** @param {import("./portraits.js").FaceChoice} face */
  setFace(face) {
    this.#face.set(face);
    return this.send({ type: "face", ...face });
  }

  /** @param {import("./voices.js").VoiceChoice} voice */
  setVoice(voice) {
    this.#voice.set(voice);
    return this.send({ type: "voice", voice: voice.voice ?? "", key: voice.voice_key ?? "" });
  }

  /** @param {{audio?: MediaStreamTrack | null, video?: MediaStreamTrack | null}} tracks */
  async setTracks(tracks) {
    await this.#link?.setTracks(tracks);
  }

  /** The network is back: do not wait for the next try. */
  retryNow() {
    this.#hurry();
  }

  /** End the call from this side. */
  hangUp() {
    if (this.#isOver) return;
    this.send({ type: "hang_up" });
    this.#finish();
    this.#events.onState("ended");
  }

  /**
   * End the call and tell why.
   *
   * @param {string} reason
   * @param {string} text
   */
  #end(reason, text) {
    if (this.#isOver) return;
    this.#finish();
    this.#events.onState("ended");
    this.#events.onEnd({ reason, text });
  }

  #finish() {
    this.#isOver = true;
    this.#hurry();
    this.#link?.close();
    this.#opening?.close();
    if (this.#session) void endSession(this.#session);
  }

  async #connect() {
    const session = this.#session;
    if (!session) throw new Error("no session");
    const link = new Link(session, {
      onStream: (stream) => this.#events.onStream(stream),
      onMessage: (message) => this.#onMessage(message),
      onLost: () => {
        if (this.#link === link) void this.#reconnect();
      },
    });
    this.#opening = link;
    try {
      await link.open(session, this.#tracks());
    } catch (error) {
      link.close();
      throw error;
    } finally {
      this.#opening = null;
    }
    if (this.#isOver) return link.close();
    this.#link = link;
    // A track may have been switched while the offer was on its way.
    await link.setTracks(this.#tracks()).catch(() => undefined);
    if (this.#isOver || this.#link !== link) return;
    this.#events.onState("connected");
  }

  /** @param {Record<string, any>} message */
  #onMessage(message) {
    if (message.type === "bye") this.#end(String(message.reason ?? ""), String(message.text ?? ""));
    else if (!this.#isOver) {
      if (message.type === "hello" || message.type === "persona") {
        this.#answering = String(message.type === "hello" ? message.persona : message.name);
      }
      this.#noteLook(message);
      if (message.type === "pong") this.#unproved = this.#unproved.filter(({ t }) => t > message.t);
      if (message.type === "hello") this.#wish(message);
      this.#events.onMessage(message);
      if (message.type === "notice") this.#takeBack(String(message.code));
    }
  }

  /** @param {Record<string, any>} message */
  #noteLook({ type, portrait = "", voice = "" }) {
    if (type === "hello" || type === "face") {
      if (this.#face.setInUse(String(portrait))) this.#events.onFace(this.#face.name);
    }
    if (type === "hello" || type === "voice") {
      if (this.#voice.setInUse(String(voice))) this.#events.onVoice(this.#voice.name);
    }
  }

  /**
   * Ask again for what was chosen while no connection was there to say it.
   *
   * @param {Record<string, any>} hello What the server shows.
   */
  #wish({ persona }) {
    if (this.#persona && this.#persona !== persona) this.setPersona(this.#persona);
    if (!this.#face.isFulfilled) this.setFace(this.#face.choice);
    if (!this.#voice.isFulfilled) this.setVoice(this.#voice.choice);
  }

  /**
   * Something was refused: who is shown is who answers. What comes is told anew.
   *
   * @param {string} code Of the server's notice.
   */
  #takeBack(code) {
    if (code !== "rate" && code !== "bad_input") return;
    if (this.#face.takeBack()) this.#events.onFace(this.#face.name);
    if (this.#voice.takeBack()) this.#events.onVoice(this.#voice.name);
    if (code !== "rate" || !this.#persona || this.#persona === this.#answering) return;
    this.#persona = this.#answering;
    this.#events.onMessage({ type: "persona", name: this.#answering });
  }

  async #reconnect() {
    this.#link = null;
    this.#events.onState("reconnecting");
    const lost = this.#unproved.map(({ text }) => text).join(" ");
    this.#unproved = [];
    if (lost) this.#events.onUnsent(lost);
    for (let attempt = 0; !this.#isOver; attempt += 1) {
      await this.#pause(BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length - 1)]);
      if (this.#isOver) return;
      try {
        if (this.#session) return await this.#resume(this.#session);
      } catch (error) {
        if (!(error instanceof ApiError) || !error.isGone) continue;
        this.#session = null;
      }
      try {
        return await this.#renew();
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason === "network" || error.isFull) continue;
        return this.#end(error.reason, error.message);
      }
    }
  }

  /** @param {Session} session */
  async #resume(session) {
    await renewIceServers(session);
    await this.#connect();
  }

  /** The server has forgotten the session: go on with a new one. */
  async #renew() {
    const session = await createSession(this.#persona, {
      ...this.#face.choice,
      ...this.#voice.choice,
    });
    if (this.#isOver) return void endSession(session);
    this.#session = session;
    this.#events.onSession(session, true);
    await this.#connect();
  }

  /** @param {number} ms */
  async #pause(ms) {
    await new Promise((resolve) => {
      const timer = window.setTimeout(resolve, ms * (0.8 + 0.4 * Math.random()));
      this.#hurry = () => {
        window.clearTimeout(timer);
        resolve(undefined);
      };
    });
    this.#hurry = () => {};
  }
}

// @ts-check
/** One WebRTC connection to the server, from offer to loss. A call makes a new one to reconnect. */

import { sendOffer } from "./api.js";

/** @typedef {import("./api.js").Session} Session */

/**
 * @typedef {object} LinkEvents
 * @property {(stream: MediaStream) => void} onStream The avatar's sound and picture.
 * @property {(message: Record<string, any>) => void} onMessage
 * @property {() => void} onLost Said once; the link is of no more use.
 */

const CHANNEL = "rt-avatar";
// Host candidates come at once; a STUN server that does not answer must not hold up the call.
const GATHERING_MS = 1500;
const CONNECT_MS = 12_000;
const DISCONNECTED_MS = 3000; // docs/protocol.md §3
const PING_MS = 2000;
// Pings in a row that nothing came after: a browser itself notices a dead path after 5 to 30 s only.
// Counted, not timed: of the time in which the page slept no answer can be expected.
const UNANSWERED_PINGS = 3;
// The server looks at 320×240 a few times a second; more would only cost both sides time.
const CAMERA_ENCODING = { maxBitrate: 250_000, maxFramerate: 15 };

export class Link {
  /** @type {RTCPeerConnection} */ #peer;
  /** @type {RTCDataChannel} */ #channel;
  /** @type {LinkEvents} */ #events;
  /** @type {RTCRtpSender} */ #audio;
  /** @type {RTCRtpSender} */ #video;
  #isOver = false;
  #unanswered = 0;
  #pinger = 0;
  /** Timer that runs while the browser doubts the connection. */
  #doubt = 0;

  /**
   * @param {Session} session
   * @param {LinkEvents} events
   */
  constructor(session, events) {
    this.#events = events;
    this.#peer = new RTCPeerConnection({ iceServers: session.ice_servers });
    this.#channel = this.#peer.createDataChannel(CHANNEL, { ordered: true });
    this.#channel.addEventListener("message", (event) => this.#onMessage(event));
    this.#channel.addEventListener("close", () => this.#lose());
    // Without a track the sender stays silent, so that a call needs neither microphone nor camera
    // and either can join later without a new offer.
    this.#audio = this.#peer.addTransceiver("audio", { direction: "sendrecv" }).sender;
    this.#video = this.#peer.addTransceiver("video", {
      direction: "sendrecv",
      sendEncodings: [CAMERA_ENCODING],
    }).sender;
    const stream = new MediaStream();
    this.#peer.addEventListener("track", (event) => {
      hurry(event.receiver);
      // The sender's own stream keeps sound and lips together; a stream of ours is second best.
      if (event.streams[0]) events.onStream(event.streams[0]);
      else {
        stream.addTrack(event.track);
        events.onStream(stream);
      }
    });
    this.#peer.addEventListener("connectionstatechange", () => {
      this.#onConnection();
    });
  }

  /**
   * Exchange offer and answer, and wait until the data channel is open.
   *
   * @param {Session} session
   * @param {{audio: MediaStreamTrack | null, video: MediaStreamTrack | null}} tracks
   */
  async open(session, tracks) {
    await this.setTracks(tracks);
    await this.#peer.setLocalDescription();
    await this.#gathered();
    const offer = this.#peer.localDescription;
    // An offer after the end of the call would have the server hold a place for nobody.
    if (!offer || this.#isOver) throw new Error("the browser made no offer");
    await this.#peer.setRemoteDescription(await sendOffer(session, offer));
    await this.#opened();
    this.#pinger = window.setInterval(() => this.#ping(), PING_MS);
  }

  /** @param {{audio?: MediaStreamTrack | null, video?: MediaStreamTrack | null}} tracks */
  async setTracks({ audio, video }) {
    if (audio !== undefined) await this.#audio.replaceTrack(audio);
    if (video !== undefined) await this.#video.replaceTrack(video);
  }

  /**
   * @param {Record<string, unknown>} message
   * @returns {boolean} Whether it could be sent.
   */
  send(message) {
    if (this.#channel.readyState !== "open") return false;
    this.#channel.send(JSON.stringify(message));
    return true;
  }

  /** Close without telling `onLost`. */
  close() {
    this.#isOver = true;
    window.clearInterval(this.#pinger);
    window.clearTimeout(this.#doubt);
    this.#peer.close();
  }

  #onConnection() {
    const state = this.#peer.connectionState;
    window.clearTimeout(this.#doubt);
    if (state === "failed" || state === "closed") this.#lose();
    if (state === "disconnected") {
      this.#doubt = window.setTimeout(() => this.#lose(), DISCONNECTED_MS);
    }
  }

  #lose() {
    if (this.#isOver) return;
    this.close();
    this.#events.onLost();
  }

  #ping() {
    if (this.#unanswered >= UNANSWERED_PINGS) return this.#lose();
    this.#unanswered += 1;
    this.send({ type: "ping", t: performance.now() });
  }

  /** @param {MessageEvent} event */
  #onMessage(event) {
    this.#unanswered = 0;
    let message;
    try {
      message = JSON.parse(String(event.data));
    } catch {
      return; // Not of this protocol; a newer server may say more than this page knows.
    }
    if (message && typeof message === "object") this.#events.onMessage(message);
  }

  #gathered() {
    const peer = this.#peer;
    return new Promise((resolve) => {
      if (peer.iceGatheringState === "complete") return resolve(undefined);
      peer.addEventListener("icegatheringstatechange", () => {
        if (peer.iceGatheringState === "complete") resolve(undefined);
      });
      window.setTimeout(resolve, GATHERING_MS);
    });
  }

  #opened() {
    const channel = this.#channel;
    return new Promise((resolve, reject) => {
      if (channel.readyState === "open") return resolve(undefined);
      const timer = window.setTimeout(() => reject(new Error("no connection")), CONNECT_MS);
      channel.addEventListener("open", () => {
        window.clearTimeout(timer);
        resolve(undefined);
      });
      channel.addEventListener("close", () => reject(new Error("no connection")));
    });
  }
}

/**
 * Ask for the least delay; the same for sound and picture, so that the lips stay with the sound.
 *
 * @param {RTCRtpReceiver} receiver
 */
function hurry(receiver) {
  if ("jitterBufferTarget" in receiver) receiver.jitterBufferTarget = 0;
  else if ("playoutDelayHint" in receiver) {
    /** @type {any} */ (receiver).playoutDelayHint = 0;
  }
}

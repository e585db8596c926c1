/** What a caller says, hears and sees, taken down inside the page while the call goes on. */

// Runs before the page's own scripts. The page is not changed: the meter listens to the tracks that
// it opens and gets. All times are those of performance.now().

// Answered by `benchmarks.browser.meter`, in the server's name: the page's security policy holds.
const WORKERS = "/.meter/";
const CHANNEL = "rt-avatar"; // docs/protocol.md
// What nobody drains must not grow: after ten minutes the oldest goes.
const MAX_BATCHES = 7_500;
const MAX_PICTURES = 15_000;
const MAX_MESSAGES = 20_000;

class Meter {
  /** Tracks by name: mic, remote, picture. @type {Map<string, MediaStreamTrack>} */
  #tracks = new Map();
  /** @type {Map<string, Worker>} */ #workers = new Map();
  /** @type {RTCPeerConnection | null} */ #peer = null;
  /** @type {RTCDataChannel | null} */ #channel = null;
  #isRunning = false;
  #kept = emptied();
  #lost = 0;

  constructor() {
    this.#watchDevices();
    this.#watchConnections();
  }

  /**
   * Begin to measure. Tracks may come before or after.
   *
   * @param {string} selector Of the video that shows the avatar.
   */
  start(selector) {
    if (!("MediaStreamTrackProcessor" in window && VideoFrame.prototype.metadata)) {
      throw new Error("the meter needs a newer Chromium");
    }
    this.#isRunning = true;
    for (const [name, track] of this.#tracks) this.#follow(name, track);
    this.#watchScreen(document.querySelector(selector));
  }

  /**
   * Measure a track from now on, instead of the one of that name before.
   *
   * @param {"mic" | "remote" | "picture"} name
   * @param {MediaStreamTrack} track
   */
  follow(name, track) {
    this.#tracks.set(name, track);
    if (this.#isRunning) this.#follow(name, track);
  }

  /** @returns What came since the last time; `benchmarks.browser.meter` knows how to read it. */
  drain() {
    const { mic, remote, ...rest } = this.#kept;
    this.#kept = emptied();
    return { ...rest, mic: packed(mic), remote: packed(remote), lost: this.#lost };
  }

  /** @param {Record<string, unknown>} message Sent as the page itself would. */
  send(message) {
    this.#channel.send(JSON.stringify(message));
  }

  /** @returns The browser's own counters of the call. */
  async stats() {
    const reports = this.#peer ? [...(await this.#peer.getStats()).values()] : [];
    const incoming = (kind) => (one) => one.type === "inbound-rtp" && one.kind === kind;
    return {
      audio: reports.find(incoming("audio")) ?? {},
      video: reports.find(incoming("video")) ?? {},
      playout: reports.find((one) => one.type === "media-playout") ?? {},
    };
  }

  #watchDevices() {
    const devices = navigator.mediaDevices;
    if (!devices) return;
    const ask = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (constraints) => {
      const stream = await ask(constraints);
      for (const track of stream.getAudioTracks()) this.follow("mic", track);
      return stream;
    };
  }

  #watchConnections() {
    const meter = this;
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(...options) {
        super(...options);
        meter.#peer = this;
        this.addEventListener("track", ({ track }) => {
          meter.follow(track.kind === "audio" ? "remote" : "picture", track);
        });
      }

      createDataChannel(...options) {
        const channel = super.createDataChannel(...options);
        if (channel.label !== CHANNEL) return channel; // another door's own language
        meter.#channel = channel;
        channel.addEventListener("message", ({ data }) => {
          meter.#keep("messages", [performance.now(), String(data)], MAX_MESSAGES);
        });
        return channel;
      }
    };
  }

  /** @param {HTMLVideoElement} video */
  #watchScreen(video) {
    const see = (_now, { expectedDisplayTime, rtpTimestamp, presentedFrames }) => {
      video.requestVideoFrameCallback(see);
      this.#keep("shown", [expectedDisplayTime, rtpTimestamp, presentedFrames], MAX_PICTURES);
    };
    video.requestVideoFrameCallback(see);
  }

  #follow(name, track) {
    this.#workers.get(name)?.terminate();
    const isPicture = track.kind === "video";
    const worker = new Worker(`${WORKERS}meter-${isPicture ? "pictures" : "sound"}.js`);
    worker.onmessage = ({ data }) => {
      if (isPicture) this.#keep("decoded", data, MAX_PICTURES);
      else this.#keep(name, data, MAX_BATCHES);
    };
    // A second of sound, or a third of a second of pictures, may wait while the machine is busy.
    const maxBufferSize = isPicture ? 8 : 100;
    const { readable } = new MediaStreamTrackProcessor({ track, maxBufferSize });
    worker.postMessage({ readable, timeOrigin: performance.timeOrigin }, [readable]);
    this.#workers.set(name, worker);
  }

  #keep(list, item, limit) {
    this.#kept[list].push(item);
    if (this.#kept[list].length > limit) {
      this.#kept[list].shift();
      this.#lost += 1;
    }
  }
}

/** @returns {Record<string, any[]>} */
function emptied() {
  return { mic: [], remote: [], shown: [], decoded: [], messages: [] };
}

/** @param {{at: number, batch: Float64Array}[]} batches @returns Base64, and when each came. */
function packed(batches) {
  let text = "";
  for (const { batch } of batches) text += String.fromCharCode(...new Uint8Array(batch.buffer));
  return { blocks: btoa(text), came: batches.map(({ at }) => at) };
}

window.meter = new Meter();

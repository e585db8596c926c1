/** What a caller says, hears and sees, taken down inside the page while the call goes on. */

// Runs before the page's own scripts. `SOUND` and `PICTURES` are the texts of meter-sound.js and
// meter-pictures.js; `benchmarks.browser.meter` puts them in front. The page is not changed: the
// meter listens to the tracks that it opens and gets.

const RATE_HZ = 48_000;
// What nobody drains must not grow: after ten minutes the oldest goes.
const MAX_BATCHES = 7_200;
const MAX_PICTURES = 15_000;
const MAX_MESSAGES = 20_000;

class Meter {
  /** @type {AudioContext | null} */ #context = null;
  /** @type {AudioWorkletNode | null} */ #loudness = null;
  /** @type {(MediaStreamAudioSourceNode | null)[]} */ #sources = [null, null];
  /** The microphone and the avatar's sound. @type {(MediaStreamTrack | null)[]} */
  #sounds = [null, null];
  /** @type {MediaStreamTrack | null} */ #picture = null;
  /** @type {Worker | null} */ #worker = null;
  /** @type {RTCPeerConnection | null} */ #peer = null;
  /** @type {RTCDataChannel | null} */ #channel = null;
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
  async start(selector) {
    if (!VideoFrame.prototype.metadata) throw new Error("the meter needs a newer Chromium");
    const context = new AudioContext({ sampleRate: RATE_HZ, latencyHint: "interactive" });
    await withAddress(SOUND, (address) => context.audioWorklet.addModule(address));
    this.#loudness = new AudioWorkletNode(context, "rt-avatar-loudness", {
      numberOfInputs: 2,
      channelCount: 1,
      channelCountMode: "explicit",
    });
    this.#loudness.port.onmessage = ({ data }) => this.#onSound(data);
    this.#loudness.connect(context.destination); // silent; what leads nowhere may be put to sleep
    await context.resume();
    this.#context = context;
    this.#sounds.forEach((track, index) => track && this.#listen(index, track));
    if (this.#picture) this.#look(this.#picture);
    this.#watchScreen(document.querySelector(selector));
  }

  /** @param {0 | 1} index The microphone or the avatar. @param {MediaStreamTrack} track */
  listen(index, track) {
    this.#sounds[index] = track;
    if (this.#context) this.#listen(index, track);
  }

  /** @param {MediaStreamTrack} track The avatar's picture. */
  look(track) {
    this.#picture = track;
    if (this.#context) this.#look(track);
  }

  /** @returns What came since the last time; `benchmarks.browser.meter` knows how to read it. */
  drain() {
    const { batches, ...rest } = this.#kept;
    this.#kept = emptied();
    const sound = new Float32Array(batches.reduce((sum, { batch }) => sum + batch.length, 0));
    let at = 0;
    for (const { batch } of batches) {
      sound.set(batch, at);
      at += batch.length;
    }
    return {
      ...rest,
      batches: batches.map(({ first, batch }) => [first, batch.length]),
      sound: toBase64(new Uint8Array(sound.buffer)),
      lost: this.#lost,
    };
  }

  /** @param {Record<string, unknown>} message Sent as the page itself would. */
  send(message) {
    this.#channel.send(JSON.stringify(message));
  }

  /** @returns The browser's own counters of the call. */
  async stats() {
    const reports = this.#peer ? [...(await this.#peer.getStats()).values()] : [];
    const incoming = (kind) =>
      reports.find((one) => one.type === "inbound-rtp" && one.kind === kind) ?? {};
    return {
      audio: incoming("audio"),
      video: incoming("video"),
      playout: reports.find((one) => one.type === "media-playout") ?? {},
      pair: reports.find((one) => one.type === "candidate-pair" && one.nominated) ?? {},
      outputLatency: this.#context.outputLatency,
    };
  }

  #watchDevices() {
    const devices = navigator.mediaDevices;
    if (!devices) return;
    const ask = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (constraints) => {
      const stream = await ask(constraints);
      for (const track of stream.getAudioTracks()) this.listen(0, track);
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
          if (track.kind === "audio") meter.listen(1, track);
          else meter.look(track);
        });
      }

      createDataChannel(...options) {
        const channel = super.createDataChannel(...options);
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

  #listen(index, track) {
    this.#sources[index]?.disconnect();
    this.#sources[index] = this.#context.createMediaStreamSource(new MediaStream([track]));
    this.#sources[index].connect(this.#loudness, 0, index);
  }

  #look(track) {
    this.#worker?.terminate();
    const { readable } = new MediaStreamTrackProcessor({ track, maxBufferSize: 10 });
    this.#worker = withAddress(PICTURES, (address) => new Worker(address));
    this.#worker.onmessage = ({ data: [at, ...rest] }) => {
      this.#keep("decoded", [at - performance.timeOrigin, ...rest], MAX_PICTURES);
    };
    this.#worker.postMessage(readable, [readable]);
  }

  #onSound(batch) {
    this.#keep("batches", batch, MAX_BATCHES);
    const { contextTime, performanceTime } = this.#context.getOutputTimestamp();
    if (contextTime > 0) this.#keep("clock", [contextTime, performanceTime], MAX_BATCHES);
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
  return { batches: [], clock: [], shown: [], decoded: [], messages: [] };
}

/** @param {string} text Of a script. @param {(address: string) => any} use */
function withAddress(text, use) {
  return use(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}

window.meter = new Meter();

// @ts-check
/** Records some seconds of the microphone, as it is: no filter of a call. */

const LONGEST_S = 15;
const TRACK = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/** @typedef {(sound: MediaTrackConstraints) => Promise<MediaStreamTrack[]>} OpenMicrophone */

export class Recorder {
  /** @type {OpenMicrophone} */ #open;
  /** @type {MediaRecorder | null} */ #recorder = null;
  #timer = 0;
  /** Counts beginnings and ends, so that one given up while the browser asks stays so. */
  #attempt = 0;
  isRecording = false;

  /** @param {OpenMicrophone} open */
  constructor(open) {
    this.#open = open;
  }

  /**
   * Record until `stop`, or for the longest time.
   *
   * @param {(seconds: number) => void} onSecond Seconds recorded so far.
   * @returns {Promise<Blob | null>} Null: stopped before the microphone was there.
   * @throws {import("./devices.js").MediaProblem} There is no microphone, or none may be used.
   */
  async record(onSecond) {
    this.stop();
    this.isRecording = true;
    const attempt = this.#attempt;
    /** @type {MediaStreamTrack[]} */ let tracks = [];
    try {
      tracks = await this.#open(TRACK);
      return attempt === this.#attempt ? await this.#take(tracks, onSecond) : null;
    } finally {
      for (const track of tracks) track.stop();
      // It may also end by itself: the microphone was refused, or has been unplugged.
      if (attempt === this.#attempt) this.stop();
    }
  }

  /**
   * @param {MediaStreamTrack[]} tracks
   * @param {(seconds: number) => void} onSecond
   */
  async #take(tracks, onSecond) {
    const recorder = new MediaRecorder(new MediaStream(tracks));
    /** @type {Blob[]} */ const parts = [];
    recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
    const done = new Promise((resolve) => recorder.addEventListener("stop", resolve));
    this.#recorder = recorder;
    recorder.start();
    let seconds = 0;
    onSecond(seconds);
    this.#timer = window.setInterval(() => {
      seconds += 1;
      onSecond(seconds);
      if (seconds >= LONGEST_S) this.stop();
    }, 1000);
    await done;
    return new Blob(parts, { type: recorder.mimeType });
  }

  stop() {
    window.clearInterval(this.#timer);
    this.#attempt += 1;
    this.isRecording = false;
    if (this.#recorder?.state === "recording") this.#recorder.stop();
    this.#recorder = null;
  }
}

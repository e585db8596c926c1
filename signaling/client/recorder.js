// @ts-check
/** Records some seconds of the microphone, as it is: no filter of a call. */

const LONGEST_S = 15;
const TRACK = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

export class Recorder {
  /** @type {MediaRecorder | null} */ #recorder = null;
  #timer = 0;

  get isRecording() {
    return this.#recorder !== null;
  }

  /**
   * Record until `stop`, or for the longest time.
   *
   * @param {(seconds: number) => void} onSecond Seconds recorded so far.
   * @returns {Promise<Blob>}
   * @throws {DOMException} There is no microphone, or none may be used.
   */
  async record(onSecond) {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: TRACK });
    const recorder = new MediaRecorder(stream);
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
    for (const track of stream.getTracks()) track.stop();
    return new Blob(parts, { type: recorder.mimeType });
  }

  stop() {
    window.clearInterval(this.#timer);
    this.#recorder?.stop();
    this.#recorder = null;
  }
}

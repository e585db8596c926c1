// @ts-check
/** How loud the microphone is, shown on its button: the quickest proof that one is heard. */

const LOOK_MS = 80;
const FLOOR_DB = -60;

export class Level {
  /** @type {HTMLElement} */ #place;
  /** @type {AudioContext | null} */ #context = null;
  /** @type {AnalyserNode | null} */ #analyser = null;
  /** @type {MediaStreamAudioSourceNode | null} */ #source = null;
  /** @type {MediaStreamTrack | null} */ #track = null;
  #samples = new Float32Array(512);
  #timer = 0;

  /** @param {HTMLElement} place Gets `--level`, 0 to 1. */
  constructor(place) {
    this.#place = place;
  }

  /** @param {MediaStreamTrack | null} track */
  watch(track) {
    if (track === this.#track) return;
    this.#track = track;
    this.#source?.disconnect();
    this.#source = null;
    window.clearInterval(this.#timer);
    this.#place.style.setProperty("--level", "0");
    if (!track || !("AudioContext" in window)) return;
    this.#context ??= new AudioContext();
    this.#analyser ??= new AnalyserNode(this.#context, { fftSize: this.#samples.length });
    this.#source = this.#context.createMediaStreamSource(new MediaStream([track]));
    this.#source.connect(this.#analyser);
    void this.#context.resume().catch(() => undefined);
    this.#timer = window.setInterval(() => this.#look(), LOOK_MS);
  }

  #look() {
    if (!this.#analyser || document.hidden) return;
    this.#analyser.getFloatTimeDomainData(this.#samples);
    let energy = 0;
    for (const sample of this.#samples) energy += sample * sample;
    const db = 10 * Math.log10(energy / this.#samples.length + 1e-9);
    const level = Math.min(1, Math.max(0, 1 - db / FLOOR_DB));
    this.#place.style.setProperty("--level", level.toFixed(2));
  }
}

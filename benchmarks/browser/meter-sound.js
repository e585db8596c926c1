/** Loudness of two inputs, for every 128 samples. Runs on the browser's audio thread. */

const QUANTA = 32; // a message each 85 ms: fresh enough to wait for a sound, rare enough to be cheap
const FIELDS = 4; // mic peak, mic rms, remote peak, remote rms

class Loudness extends AudioWorkletProcessor {
  #batch = new Float32Array(QUANTA * FIELDS);
  #filled = 0;
  #first = 0; // sample that the batch begins with
  #next = -1;

  /** @param {Float32Array[][]} inputs */
  process(inputs) {
    if (currentFrame !== this.#next) this.#post(); // a batch has no gaps
    if (this.#filled === 0) this.#first = currentFrame;
    this.#next = currentFrame + 128;
    for (let index = 0; index < 2; index += 1) {
      let peak = 0;
      let energy = 0;
      const samples = inputs[index][0] ?? [];
      for (const sample of samples) {
        peak = Math.max(peak, Math.abs(sample));
        energy += sample * sample;
      }
      const at = this.#filled * FIELDS + 2 * index;
      this.#batch[at] = peak;
      this.#batch[at + 1] = Math.sqrt(energy / (samples.length || 1));
    }
    this.#filled += 1;
    if (this.#filled === QUANTA) this.#post();
    return true;
  }

  #post() {
    if (this.#filled === 0) return;
    const batch = this.#batch.slice(0, this.#filled * FIELDS);
    this.port.postMessage({ first: this.#first, batch }, [batch.buffer]);
    this.#filled = 0;
  }
}

registerProcessor("rt-avatar-loudness", Loudness);

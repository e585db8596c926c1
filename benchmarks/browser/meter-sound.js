/** How loud a track is, in quarters of the 10 ms blocks that it comes in. Runs in a worker. */

const PARTS = 4; // of a block: 2.5 ms
const BLOCKS = 8; // a message each 80 ms: fresh enough to wait for a sound, rare enough to be cheap
const FIELDS = 2 + 2 * PARTS; // when it was, how long a part is, peaks, RMS

/** How far the page's clock is ahead of this worker's, ms. */
let aheadMs = 0;

onmessage = async ({ data: { readable, timeOrigin } }) => {
  aheadMs = performance.timeOrigin - timeOrigin;
  const reader = readable.getReader();
  let batch = new Float64Array(BLOCKS * FIELDS);
  let filled = 0;
  for (;;) {
    const { value: block, done } = await reader.read();
    if (done) return;
    batch.set(measured(block), filled * FIELDS);
    block.close();
    filled += 1;
    if (filled < BLOCKS) continue;
    postMessage({ at: performance.now() + aheadMs, batch }, [batch.buffer]);
    batch = new Float64Array(BLOCKS * FIELDS);
    filled = 0;
  }
};

/**
 * The first blocks are stamped on the page's clock; once the browser has moved the stream here, on
 * this worker's, which began later. A stamp that would be of the future is of the page's.
 *
 * @param {number} ms
 */
function onPage(ms) {
  return ms > performance.now() + 1 ? ms : ms + aheadMs;
}

/** @param {AudioData} block */
function measured(block) {
  const samples = new Float32Array(block.numberOfFrames);
  block.copyTo(samples, { planeIndex: 0, format: "f32-planar" });
  const length = samples.length / PARTS;
  const row = [onPage(block.timestamp / 1000), (1000 * length) / block.sampleRate];
  for (let part = 0; part < PARTS; part += 1) {
    let peak = 0;
    let energy = 0;
    for (let i = Math.round(part * length); i < Math.round((part + 1) * length); i += 1) {
      peak = Math.max(peak, Math.abs(samples[i]));
      energy += samples[i] * samples[i];
    }
    row[2 + part] = peak;
    row[2 + PARTS + part] = Math.sqrt(energy / length);
  }
  return row;
}

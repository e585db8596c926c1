/** What is on each decoded picture: how bright it is, how open the mouth. Runs in a worker. */

// `MOUTH` and `CAVITY` are those of benchmarks/browser/mouth.py, which also tells why.
const STEP = 4; // every fourth pixel of every fourth line tells the mean

let lastMouth = new Uint8Array(0);
/** How far the page's clock is ahead of this worker's, ms. */
let aheadMs = 0;

/** @param {VideoFrame} frame @returns Luma in limited range, line by line without gaps. */
async function lumaOf(frame) {
  const { width, height } = frame.visibleRect;
  const data = new Uint8Array(frame.allocationSize());
  const [{ offset, stride }] = await frame.copyTo(data);
  const luma = new Uint8Array(width * height);
  const isRgb = /^(RGB|BGR)/.test(frame.format);
  for (let y = 0; y < height; y += 1) {
    const begin = offset + y * stride;
    if (!isRgb) luma.set(data.subarray(begin, begin + width), y * width);
    else {
      // Only canvases are RGB; green is most of luma, whatever the order of the others.
      for (let x = 0; x < width; x += 1) luma[y * width + x] = 16 + data[begin + 4 * x + 1] * 0.859;
    }
  }
  return { luma, width, height };
}

function brightness({ luma, width, height }) {
  let sum = 0;
  let count = 0;
  for (let y = 0; y < height; y += STEP) {
    for (let x = 0; x < width; x += STEP) {
      sum += luma[y * width + x];
      count += 1;
    }
  }
  return sum / count;
}

function cutMouth({ luma, width, height }) {
  const [left, across] = [MOUTH.left * width, MOUTH.width * width].map(Math.round);
  const [top, down] = [MOUTH.top * height, MOUTH.height * height].map(Math.round);
  const mouth = new Uint8Array(across * down);
  for (let y = 0; y < down; y += 1) {
    const begin = (top + y) * width + left;
    mouth.set(luma.subarray(begin, begin + across), y * across);
  }
  return mouth;
}

/** @param {VideoFrame} frame */
async function look(frame) {
  const at = performance.now() + aheadMs;
  const picture = await lumaOf(frame);
  const mouth = cutMouth(picture);
  const last = lastMouth.length === mouth.length ? lastMouth : mouth;
  let dark = 0;
  let change = 0;
  for (let i = 0; i < mouth.length; i += 1) {
    if (mouth[i] < CAVITY) dark += 1;
    change += Math.abs(mouth[i] - last[i]);
  }
  lastMouth = mouth;
  const rtp = frame.metadata().rtpTimestamp;
  const size = mouth.length;
  return [at, rtp, brightness(picture), dark / size, change / size];
}

onmessage = async ({ data: { readable, timeOrigin } }) => {
  aheadMs = performance.timeOrigin - timeOrigin;
  const reader = readable.getReader();
  for (;;) {
    const { value: frame, done } = await reader.read();
    if (done) return;
    try {
      postMessage(await look(frame));
    } finally {
      frame.close();
    }
  }
};

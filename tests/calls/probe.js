// Measures what a caller hears and sees, inside the page: loudness every 20 ms, and for every
// presented picture how much the mouth and the upper face changed since the last one.
window.probe = {
  sound: [], // [ms, rms]
  pictures: [], // [ms, mouth change, rest change]
  connections: [],
  async decoded() {
    const reports = [...(await this.connections.at(-1).getStats()).values()];
    const video = reports.find((r) => r.type === "inbound-rtp" && r.kind === "video");
    return { frames: video.framesDecoded, dropped: video.framesDropped, lost: video.packetsLost };
  },
  start(video) {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    context.createMediaStreamSource(video.srcObject).connect(analyser);
    const wave = new Float32Array(analyser.fftSize);
    setInterval(() => {
      analyser.getFloatTimeDomainData(wave);
      let sum = 0;
      for (const value of wave) sum += value * value;
      this.sound.push([performance.now(), Math.sqrt(sum / wave.length)]);
    }, 20);
    const side = 64;
    const canvas = new OffscreenCanvas(side, 2 * side);
    const paint = canvas.getContext("2d", { willReadFrequently: true });
    let last = null;
    const see = (now) => {
      const w = video.videoWidth / 512;
      paint.drawImage(video, 196 * w, 300 * w, 120 * w, 100 * w, 0, 0, side, side); // mouth
      paint.drawImage(video, 60 * w, 10 * w, 120 * w, 60 * w, 0, side, side, side); // background
      const pixels = paint.getImageData(0, 0, side, 2 * side).data;
      if (last) {
        const change = [0, 0];
        for (let i = 0; i < pixels.length; i += 4) {
          change[i < pixels.length / 2 ? 0 : 1] += Math.abs(pixels[i] - last[i]);
        }
        this.pictures.push([now, change[0] / (side * side), change[1] / (side * side)]);
      }
      last = pixels;
      video.requestVideoFrameCallback(see);
    };
    video.requestVideoFrameCallback(see);
  },
};

window.RTCPeerConnection = class extends RTCPeerConnection {
  constructor(...options) {
    super(...options);
    window.probe.connections.push(this);
  }
};

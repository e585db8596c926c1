// @ts-check
/** Counts whole seconds down and then does something, unless it is stopped. */

export class Countdown {
  #timer = 0;

  /**
   * @param {number} seconds
   * @param {(left: number) => void} onSecond
   * @param {() => void} onDone
   */
  start(seconds, onSecond, onDone) {
    this.stop();
    let left = seconds;
    this.#timer = window.setInterval(() => {
      left -= 1;
      if (left > 0) return onSecond(left);
      this.stop();
      onDone();
    }, 1000);
  }

  stop() {
    window.clearInterval(this.#timer);
  }
}

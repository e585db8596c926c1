// @ts-check
/** Keeps a phone's screen on during a call: nobody touches it while talking. */

export class Awake {
  /** @type {WakeLockSentinel | null} */ #lock = null;
  #isWanted = false;

  constructor() {
    // The browser drops the lock whenever the page is hidden.
    document.addEventListener("visibilitychange", () => void this.#apply());
  }

  /** @param {boolean} isWanted */
  set(isWanted) {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    void this.#apply();
  }

  async #apply() {
    try {
      await this.#lock?.release();
      this.#lock = null;
      if (this.#isWanted && !document.hidden) {
        this.#lock = (await navigator.wakeLock?.request("screen")) ?? null;
      }
    } catch {
      // Low battery or an old browser: the screen may dim, and the call goes on.
    }
  }
}

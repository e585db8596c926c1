// @ts-check
/** The caller's own picture in a corner: mirrored, and movable by finger, mouse or arrow keys. */

import { byId } from "./dom.js";

const KEYS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);

export class SelfView {
  /** @type {HTMLElement} */ #box = byId("self", HTMLElement);
  /** @type {HTMLVideoElement} */ #video = byId("self-video", HTMLVideoElement);
  /** @type {{x: number, y: number} | null} */ #grip = null;

  constructor() {
    this.#box.addEventListener("pointerdown", (event) => this.#onDown(event));
    this.#box.addEventListener("pointermove", (event) => this.#onMove(event));
    this.#box.addEventListener("pointerup", () => this.#onUp());
    this.#box.addEventListener("pointercancel", () => this.#onUp());
    this.#box.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** @param {MediaStreamTrack | null} track */
  show(track) {
    const shown = /** @type {MediaStream | null} */ (this.#video.srcObject)?.getTracks()[0] ?? null;
    if (shown !== track) this.#video.srcObject = track ? new MediaStream([track]) : null;
    this.#box.hidden = !track;
  }

  /** @param {PointerEvent} event */
  #onDown(event) {
    this.#grip = { x: event.clientX, y: event.clientY };
    this.#box.setPointerCapture(event.pointerId);
    this.#box.dataset.held = "true";
  }

  /** @param {PointerEvent} event */
  #onMove(event) {
    if (!this.#grip) return;
    this.#box.style.setProperty("--dx", `${event.clientX - this.#grip.x}px`);
    this.#box.style.setProperty("--dy", `${event.clientY - this.#grip.y}px`);
  }

  #onUp() {
    if (!this.#grip) return;
    this.#grip = null;
    const box = this.#box.getBoundingClientRect();
    const around = this.#box.parentElement?.getBoundingClientRect();
    delete this.#box.dataset.held;
    this.#box.style.removeProperty("--dx");
    this.#box.style.removeProperty("--dy");
    if (!around) return;
    const isTop = box.top + box.height / 2 < around.top + around.height / 2;
    const isLeft = box.left + box.width / 2 < around.left + around.width / 2;
    this.#box.dataset.corner = `${isTop ? "top" : "bottom"}-${isLeft ? "left" : "right"}`;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (!KEYS.has(event.key)) return;
    event.preventDefault();
    let [row, column] = (this.#box.dataset.corner ?? "top-right").split("-");
    if (event.key === "ArrowUp") row = "top";
    if (event.key === "ArrowDown") row = "bottom";
    if (event.key === "ArrowLeft") column = "left";
    if (event.key === "ArrowRight") column = "right";
    this.#box.dataset.corner = `${row}-${column}`;
  }
}

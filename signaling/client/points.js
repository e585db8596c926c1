// @ts-check
/** The points of a face on its photograph: dragged, or moved by the arrow keys, part by part. */

import { el, svg } from "./dom.js";

/** @typedef {import("./portraits.js").Points} Points */

const eye = (/** @type {string} */ side) =>
  ["outer", "inner", "top", "bottom"].map((part) => `${side}_eye_${part}`).concat(`${side}_iris`);
const brow = (/** @type {string} */ side) =>
  ["inner", "middle", "outer"].map((part) => `${side}_brow_${part}`);

/** The points of each part, and the lines between them. */
const PARTS = {
  Mouth: ["left_mouth", "right_mouth", "lip_top", "lip_upper", "lip_lower", "lip_bottom"],
  "Right eye": eye("right"),
  "Left eye": eye("left"),
  Brows: [...brow("right"), ...brow("left")],
  Outline: [
    "forehead", "left_cheek", "right_cheek", "left_jaw", "right_jaw", "chin",
    "nose_tip", "left_nose", "right_nose",
  ],
};
const LINES = [
  ["right_mouth", "lip_top", "left_mouth", "lip_bottom", "right_mouth"],
  ["right_mouth", "lip_upper", "left_mouth"],
  ["right_mouth", "lip_lower", "left_mouth"],
  ...["right", "left"].map((side) =>
    ["outer", "top", "inner", "bottom", "outer"].map((part) => `${side}_eye_${part}`),
  ),
  brow("right"),
  brow("left"),
  ["forehead", "left_cheek", "left_jaw", "chin", "right_jaw", "right_cheek", "forehead"],
  ["right_nose", "nose_tip", "left_nose"],
];
const WORDS = /** @type {Record<string, string>} */ ({
  left_mouth: "left corner of the mouth", right_mouth: "right corner of the mouth",
  lip_top: "upper edge of the upper lip", lip_upper: "lower edge of the upper lip",
  lip_lower: "upper edge of the lower lip", lip_bottom: "lower edge of the lower lip",
  forehead: "middle of the hairline", nose_tip: "tip of the nose", left_nose: "left nostril",
  right_nose: "right nostril", left_jaw: "left jaw line", right_jaw: "right jaw line",
});
const KEYS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});
const TOUCH_PX = 20; // radius of what a finger hits
const DOT_PX = 5;

export class PointEditor {
  /** @type {SVGSVGElement} */ #view;
  /** @type {() => void} */ #onMove;
  /** @type {Points} */ points = {};
  #size = [1, 1];
  #part = "Mouth";
  #scale = 1; // pixels of the picture in one of the page
  /** @type {Map<string, SVGElement>} */ #shown = new Map();
  /** @type {SVGElement[]} */ #lines = [];

  /**
   * @param {SVGSVGElement} view
   * @param {HTMLElement} parts Where the radio buttons of the parts go.
   * @param {() => void} onMove
   */
  constructor(view, parts, onMove) {
    this.#view = view;
    this.#onMove = onMove;
    for (const part of Object.keys(PARTS)) {
      const input = el("input", { type: "radio", name: "photograph-part", value: part });
      input.checked = part === this.#part;
      input.addEventListener("change", () => {
        this.#part = part;
        this.#draw();
      });
      parts.append(el("label", { class: "part" }, input, part));
    }
    new ResizeObserver(() => this.#draw()).observe(view);
  }

  /**
   * @param {string} picture Its address.
   * @param {number} width
   * @param {number} height
   * @param {Points} points
   */
  show(picture, width, height, points) {
    this.points = points;
    this.#size = [width, height];
    this.#view.replaceChildren(svg("image", { href: picture, width, height }));
    this.#draw();
  }

  #draw() {
    const names = /** @type {Record<string, string[]>} */ (PARTS)[this.#part];
    const image = this.#view.querySelector("image");
    if (!image || !this.points[names[0]]) return;
    const side = this.#zoom(names);
    this.#scale = side / (this.#view.clientWidth || side);
    this.#lines = LINES.map(() => svg("polyline", { class: "line" }));
    this.#shown = new Map(names.map((name) => [name, this.#point(name)]));
    this.#view.replaceChildren(image, ...this.#lines, ...this.#shown.values());
    for (const name of names) this.#place(name);
  }

  /**
   * Show a square around some points; return its side.
   *
   * @param {string[]} names
   */
  #zoom(names) {
    const xs = names.map((name) => this.points[name][0]);
    const ys = names.map((name) => this.points[name][1]);
    const wide = Math.max(...xs) - Math.min(...xs);
    const high = Math.max(...ys) - Math.min(...ys);
    const side = Math.min(1.5 * Math.max(wide, high), ...this.#size);
    const [x, y] = [xs, ys].map((all, axis) => {
      const middle = (Math.min(...all) + Math.max(...all)) / 2;
      return Math.min(Math.max(middle - side / 2, 0), this.#size[axis] - side);
    });
    this.#view.setAttribute("viewBox", `${x} ${y} ${side} ${side}`);
    return side;
  }

  /** @param {string} name */
  #point(name) {
    const point = svg(
      "g",
      { class: "point", tabindex: 0, role: "button", "aria-roledescription": "point" },
      svg("circle", { class: "reach", r: TOUCH_PX * this.#scale }),
      svg("circle", { class: "dot", r: DOT_PX * this.#scale }),
    );
    point.addEventListener("keydown", (event) => {
      const step = KEYS[event.key];
      if (!step) return;
      event.preventDefault();
      const far = (event.shiftKey ? 10 : 1) * Math.max(1, this.#scale);
      this.#move(name, this.points[name][0] + step[0] * far, this.points[name][1] + step[1] * far);
    });
    point.addEventListener("pointerdown", (event) => {
      point.setPointerCapture(event.pointerId);
      point.focus();
      event.preventDefault();
    });
    point.addEventListener("pointermove", (event) => {
      if (!point.hasPointerCapture(event.pointerId)) return;
      const toPicture = this.#view.getScreenCTM()?.inverse();
      if (!toPicture) return;
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(toPicture);
      this.#move(name, x, y);
    });
    return point;
  }

  /**
   * @param {string} name
   * @param {number} x
   * @param {number} y
   */
  #move(name, x, y) {
    const inside = [x, y].map((one, axis) => Math.min(Math.max(one, 0), this.#size[axis] - 1));
    this.points[name] = [Math.round(inside[0] * 10) / 10, Math.round(inside[1] * 10) / 10];
    this.#place(name);
    this.#onMove();
  }

  /** @param {string} name */
  #place(name) {
    const [x, y] = this.points[name];
    const words = WORDS[name] ?? name.replaceAll("_", " ");
    const point = this.#shown.get(name);
    point?.setAttribute("transform", `translate(${x} ${y})`);
    point?.setAttribute(
      "aria-label",
      `${words[0].toUpperCase()}${words.slice(1)}, ${Math.round(x)} across, ${Math.round(y)} down`,
    );
    for (const [index, line] of LINES.entries()) {
      const places = line.map((one) => this.points[one].join(","));
      this.#lines[index]?.setAttribute("points", places.join(" "));
    }
  }
}

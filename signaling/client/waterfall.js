// @ts-check
/** Where the time of a turn went: one bar a stage, from the caller's last sound to the reply. */

import { el, svg } from "./dom.js";

/**
 * @typedef {object} Trace
 * @property {number} turn
 * @property {Record<string, number>} marks_ms After the caller's last voiced sample.
 * @property {boolean} [preemptive_used]
 * @property {number | null} [interrupted_at_ms]
 * @property {string[]} [degradation_steps]
 */

/** @typedef {{name: string, from: number, to: number}} Bar */

/** Each mark with its words and the marks it waits for. The latest of those is where it begins. */
/** @type {[mark: string, words: string, after: string[]][]} */
const STAGES = [
  ["end_of_turn", "End of turn", []],
  ["transcript_final", "Words", []],
  ["plan", "Plan", ["transcript_final"]],
  ["first_clause", "First clause", ["plan"]],
  ["first_chunk", "Voice", ["first_clause"]],
  ["first_frame", "Face", ["first_chunk"]],
  ["audio_released", "Sound out", ["end_of_turn", "first_chunk"]],
  ["video_released", "Picture out", ["end_of_turn", "first_frame"]],
];
const MOST_TURNS = 6;
// The promise of the product: first sound 500 ms after the end of speech (median).
const PROMISE_MS = 500;
const LEAST_SCALE_MS = 600;
const ROW = 18;
const LABEL = 84;
const WIDTH = 304;

/**
 * The bars of one turn. With a preemptive reply a stage may be over before the end of turn is known: its bar
 * then lies before that mark, which is what happened.
 *
 * @param {Trace} trace
 * @returns {Bar[]}
 */
export function barsOf({ marks_ms: marks }) {
  return STAGES.filter(([mark]) => Number.isFinite(marks[mark])).map(([mark, name, after]) => {
    const to = Math.max(0, marks[mark]);
    const known = after.map((one) => marks[one]).filter(Number.isFinite);
    return { name, from: Math.min(to, Math.max(0, ...known)), to };
  });
}

export class Waterfall {
  /** @type {HTMLElement} */ #place;
  /** @type {Trace[]} */ #traces = [];

  /** @param {HTMLElement} place */
  constructor(place) {
    this.#place = place;
  }

  /** @param {Trace} trace */
  add(trace) {
    if (!trace.marks_ms || typeof trace.marks_ms !== "object") return;
    this.#traces = [trace, ...this.#traces.filter((one) => one.turn !== trace.turn)];
    this.#traces.length = Math.min(this.#traces.length, MOST_TURNS);
    this.#draw();
  }

  clear() {
    this.#traces = [];
    this.#draw();
  }

  #draw() {
    const [latest, ...earlier] = this.#traces;
    if (!latest) return this.#place.replaceChildren();
    const scale = Math.max(
      LEAST_SCALE_MS,
      ...this.#traces.flatMap((trace) => barsOf(trace).map((bar) => bar.to)),
    );
    this.#place.replaceChildren(
      el("div", { class: "turn-head" }, ...headOf(latest)),
      chart(latest, scale),
    );
    if (earlier.length === 0) return;
    const rows = earlier.map((trace) => shortRow(trace, scale));
    this.#place.append(el("h4", {}, "Turns before"), el("ol", { class: "turns" }, ...rows));
  }
}

/** @param {Trace} trace */
function headOf(trace) {
  const total = trace.marks_ms.audio_released;
  const parts = [
    el(
      "span",
      { class: "turn-total" },
      Number.isFinite(total) ? `${Math.round(total)} ms to first sound` : "no sound",
    ),
  ];
  if (trace.preemptive_used) parts.push(el("span", { class: "tag" }, "preemptive"));
  if (trace.interrupted_at_ms != null) {
    const at = (trace.interrupted_at_ms / 1000).toFixed(1);
    parts.push(el("span", { class: "tag" }, `interrupted at ${at} s`));
  }
  for (const step of trace.degradation_steps ?? []) parts.push(el("span", { class: "tag" }, step));
  return parts;
}

/**
 * @param {Trace} trace
 * @param {number} scale Milliseconds of the whole width.
 */
function chart(trace, scale) {
  const bars = barsOf(trace);
  const height = bars.length * ROW + 16;
  /** @param {number} ms */
  const x = (ms) => LABEL + (ms / scale) * (WIDTH - LABEL - 40);
  const drawing = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${height}`,
    class: "waterfall",
    role: "img",
    "aria-label": bars.map((bar) => `${bar.name} at ${Math.round(bar.to)} ms`).join(", "),
  });
  const bottom = bars.length * ROW;
  drawing.append(
    svg("line", { class: "axis", x1: x(0), x2: x(0), y1: 0, y2: bottom }),
    svg("line", { class: "promise", x1: x(PROMISE_MS), x2: x(PROMISE_MS), y1: 0, y2: bottom }),
    svg("text", { class: "tick", x: x(PROMISE_MS), y: bottom + 12 }, `${PROMISE_MS} ms`),
    svg("text", { class: "tick", x: x(0), y: bottom + 12 }, "0"),
  );
  bars.forEach((bar, index) => {
    const y = index * ROW;
    const width = Math.max(2, x(bar.to) - x(bar.from));
    drawing.append(
      svg("text", { class: "stage-name", x: 0, y: y + 12.5 }, bar.name),
      svg("rect", { class: "bar", x: x(bar.from), y: y + 4, width, height: 10, rx: 3 }),
      svg("text", { class: "ms", x: x(bar.from) + width + 4, y: y + 12.5 }, String(Math.round(bar.to))),
    );
  });
  return drawing;
}

/**
 * @param {Trace} trace
 * @param {number} scale
 */
function shortRow(trace, scale) {
  const total = trace.marks_ms.audio_released;
  const bar = el("span", { class: "turn-bar" });
  const share = Number.isFinite(total) ? Math.max(0, total) / scale : 0;
  bar.style.setProperty("--share", String(share));
  bar.dataset.late = String(total > PROMISE_MS);
  return el(
    "li",
    {},
    el("span", { class: "turn-name" }, `Turn ${trace.turn}`),
    bar,
    el(
      "span",
      { class: "turn-ms" },
      trace.interrupted_at_ms != null ? "cut" : "",
      Number.isFinite(total) ? ` ${Math.round(total)} ms` : " –",
    ),
  );
}

// @ts-check
/** A kiosk for the avatar of a LiveKit room.
 *
 * Where the room is: `#url=wss://…&token=…` behind the page's address (a fragment is never sent to
 * a server), or what `POST token` of the page's own server answers: {"url": …, "token": …}.
 * `?auto` calls without a tap, and again ten seconds after a call has ended.
 */

import { Call } from "./call.js";
import { element, View } from "./view.js";

const PATIENCE_MS = 15_000; // until a caller is told that no avatar came
const AGAIN_MS = 10_000;
const QUIET_MS = 3_000; // until the pointer hides

const view = new View();
const isAuto = new URLSearchParams(location.search).has("auto");
/** @type {Call | null} */ let call = null;
/** @type {WakeLockSentinel | null} */ let wakeLock = null;
let patience = 0;

async function start() {
  if (call) return;
  const ours = (call = new Call());
  view.setLine("connecting");
  view.notice("");
  view.ended("");
  listen(ours);
  try {
    const { url, token } = await invitation();
    if (call !== ours) return; // hung up meanwhile
    await Promise.all([ours.join(url, token), ours.unlockSound()]);
    if (call !== ours) return void ours.leave();
    element("mute", HTMLElement).setAttribute("aria-pressed", "false");
    element("camera", HTMLElement).setAttribute("aria-pressed", "true");
    wakeLock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
  } catch (error) {
    if (call === ours) end(error instanceof Error ? error.message : String(error));
  }
}

/** @param {Call} ours Heard for as long as it is the page's call. */
function listen(ours) {
  /** @type {(name: string, take: (...detail: any[]) => void) => void} */
  const on = (name, take) => ours.addEventListener(name, (event) => {
    if (call === ours) take(.../** @type {CustomEvent} */ (event).detail);
  });
  on("track", (track) => view.show(track));
  on("state", (state) => view.setState(state));
  on("caption", (caption) => view.caption(caption));
  on("trouble", (words) => view.notice(words));
  on("avatar", (name) => {
    view.setName(name);
    expectAvatar(!name);
  });
  on("line", (state, why) => {
    if (state === "ended") return end(why);
    view.setLine(state);
    if (state === "connected" && !ours.hasAvatar) expectAvatar(true);
  });
}

/** @param {boolean} isExpected An avatar that does not come is not waited for in silence. */
function expectAvatar(isExpected) {
  window.clearTimeout(patience);
  if (!isExpected) view.notice("");
  else {
    patience = window.setTimeout(() => {
      view.notice("No avatar has come into this room. Is a worker running (rt-avatar livekit), and was it asked for?");
    }, PATIENCE_MS);
  }
}

/** @param {string} [why] */
function end(why = "") {
  if (!call) return;
  const ours = call;
  call = null;
  window.clearTimeout(patience);
  void ours.leave();
  void wakeLock?.release();
  view.setLine("ended");
  view.ended(why);
  if (isAuto) window.setTimeout(start, AGAIN_MS);
}

/** @returns {Promise<{url: string, token: string}>} */
async function invitation() {
  const given = new URLSearchParams(location.hash.slice(1));
  const [url, token] = [given.get("url"), given.get("token")];
  if (url && token) return { url, token };
  const answer = await fetch("token", { method: "POST" }).catch(() => null);
  if (!answer?.ok) throw new Error("This page knows no room: add #url=…&token=… to its address, or let its server answer to POST token.");
  return answer.json();
}

/** @param {string} id @param {(isOn: boolean) => Promise<boolean>} change */
function toggle(id, change) {
  const button = element(id, HTMLElement);
  button.addEventListener("click", async () => {
    const isPressed = button.getAttribute("aria-pressed") !== "true";
    if (await change(isPressed)) button.setAttribute("aria-pressed", String(isPressed));
  });
}

element("start-call", HTMLElement).addEventListener("click", start);
element("hang-up", HTMLElement).addEventListener("click", () => end());
element("composer", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const box = element("text", HTMLInputElement);
  const text = box.value.trim();
  if (!text || !call) return;
  box.value = "";
  call.say(text).catch(() => view.notice("That could not be sent. Please try again."));
});
toggle("mute", async (isMuted) => (await call?.setMuted(isMuted)) ?? false);
toggle("camera", async (isOff) => (await call?.setCamera(!isOff)) ?? false);
element("avatar", HTMLElement).addEventListener("click", () => void call?.interrupt());
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") void call?.interrupt();
});
document.addEventListener("pointerdown", () => void call?.unlockSound());
window.addEventListener("pagehide", () => end());

let quiet = 0;
document.addEventListener("pointermove", () => {
  document.body.classList.remove("is-idle");
  window.clearTimeout(quiet);
  quiet = window.setTimeout(() => document.body.classList.add("is-idle"), QUIET_MS);
});
if (isAuto) void start();

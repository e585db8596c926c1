// @ts-check
/** What the page says when something is wrong: one place, so that it can be read and bettered. */

/** @typedef {import("./devices.js").MediaProblem} MediaProblem */
/** @typedef {{title: string, text: string}} Words */

const ALLOW =
  "Open the sign beside the page's address, allow it there, and try again. " +
  "On a phone, the system's settings may have to allow it to the browser, too.";

/** @type {Record<string, Words>} */
const MEDIA = {
  "microphone/refused": { title: "The microphone is blocked", text: ALLOW },
  "microphone/missing": {
    title: "No microphone was found",
    text: "Plug one in or switch it on, and try again. You can also type instead of talking.",
  },
  "microphone/busy": {
    title: "The microphone is in use",
    text: "Another program seems to hold it. Close that program and try again.",
  },
  "microphone/unknown": {
    title: "The microphone could not be opened",
    text: "Choose another one in the settings, or type instead of talking.",
  },
  "camera/refused": { title: "The camera is blocked", text: `The call works without it. ${ALLOW}` },
  "camera/missing": {
    title: "No camera was found",
    text: "The call works without it; your voice and words are enough.",
  },
  "camera/busy": {
    title: "The camera is in use",
    text: "Another program seems to hold it. The call works without it.",
  },
  "camera/unknown": {
    title: "The camera could not be opened",
    text: "The call works without it. You can choose another one in the settings.",
  },
};

/**
 * @param {MediaProblem} problem
 * @returns {Words}
 */
export function aboutMedia(problem) {
  if (problem.kind === "insecure") {
    return {
      title: `This address may not use the ${problem.source}`,
      text:
        "Browsers give microphone and camera only to pages over https or on this computer. " +
        `Open the page as https://${location.host}, or on the server itself as ` +
        `http://localhost:${location.port || "80"}. Typing works here, too.`,
    };
  }
  return MEDIA[`${problem.source}/${problem.kind}`];
}

/**
 * @param {"microphone" | "camera"} source
 * @returns {Words}
 */
export function aboutLost(source) {
  return {
    title: `The ${source} went away`,
    text:
      source === "microphone"
        ? "Plug it in again and press the microphone's button, or choose another one in the " +
          "settings. You can type meanwhile."
        : "The call goes on without it.",
  };
}

/** @type {Words} */
export const NO_WEBRTC = {
  title: "This browser cannot make calls",
  text: "It lacks WebRTC, or has it switched off. A current Firefox, Chrome, Edge or Safari works.",
};

/** @type {Words} */
export const RECONNECTING = {
  title: "The connection was lost",
  text: "Trying to come back by myself. Your conversation is kept meanwhile.",
};

/** @type {Words} */
export const OFFLINE = {
  title: "You are offline",
  text: "As soon as there is a network again, the call goes on by itself.",
};

/** @type {Words} */
export const RENEWED = {
  title: "This is a new call",
  text: "The connection was away for too long, so what was said before is forgotten.",
};

/** @type {Words} */
export const UNREACHABLE = {
  title: "The server cannot be reached",
  text: "Check your network, and that the server is running. Then try again.",
};

/** @type {Words} */
export const NOT_DELETED = {
  title: "It is not deleted yet",
  text: "The server cannot be reached, or could not do it. Try again in a minute.",
};

/** @type {Words} */
export const NOT_REPLACED = {
  title: "The one before is not deleted yet",
  text: "The server cannot be reached, or could not do it. It deletes it when its days are over.",
};

/** @type {Words} */
export const NO_ACCESS = {
  title: "You need access to call",
  text: "Please come from the site that offers the calls. If you did, your access has expired: go there again.",
};

/** @type {Words} */
export const NO_CONNECTION = {
  title: "No way through for sound and picture",
  text:
    "The server answers, but the media connection does not come about. A firewall or VPN may be in " +
    "the way: try another network, or ask whoever runs the server for a TURN relay.",
};

/** @type {Words} */
export const AUTOPLAY = {
  title: "Your browser holds the sound back",
  text: "It wants one tap from you first.",
};

/** @type {Record<string, Words>} */
const ENDS = {
  hang_up: { title: "The call has ended", text: "" },
  lost: { title: "The call was lost", text: "It could not be picked up again in time." },
  draining: { title: "The server is closing", text: "Please call again in a minute." },
};

/**
 * Why the server ended the call.
 *
 * @param {string} reason
 * @param {string} text The server's own words.
 * @returns {Words}
 */
export function aboutEnd(reason, text) {
  return ENDS[reason] ?? { title: "The call had to end", text };
}

/**
 * The server has no room.
 *
 * @param {string} reason
 * @param {number} seconds Until the next try.
 * @returns {Words}
 */
export function aboutFull(reason, seconds) {
  const text = `Trying again in ${seconds} second${seconds === 1 ? "" : "s"}.`;
  if (reason === "draining") return { title: "The server is restarting", text };
  if (reason === "overloaded") return { title: "The server is busy just now", text };
  if (reason === "rate" || reason === "too_many_offers") {
    return { title: "That was a bit quick", text };
  }
  if (reason === "too_many_calls") {
    return {
      title: "Enough calls come from your address already",
      text: `End one in another tab or on another device. ${text}`,
    };
  }
  return { title: "All places are taken", text };
}

/** @type {Record<string, string>} */
export const STATES = { listening: "Listening", thinking: "Thinking", speaking: "Speaking" };

/** @type {Record<string, string>} */
export const CALL_STATES = {
  idle: "Not in a call",
  connecting: "Connecting",
  connected: "Connected",
  reconnecting: "Reconnecting",
  ended: "Call ended",
};

/** @type {Record<string, string>} */
export const EMOTIONS = {
  neutral: "neutral",
  happy: "happy",
  surprised: "surprised",
  angry: "angry",
  fear: "afraid",
  sad: "sad",
  disgusted: "disgusted",
  contempt: "scornful",
};

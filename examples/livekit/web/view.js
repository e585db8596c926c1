// @ts-check
/** What is seen: the avatar with the light around it, captions, who speaks, and what went wrong. */

const KEPT = 12; // captions in the page; two are seen
const LOOK_MS = 1000; // the background hardly changes
const STATES = { initializing: "is coming", idle: "is here", listening: "listens", thinking: "thinks", speaking: "speaks" };

export class View {
  #stage = element("stage", HTMLElement);
  #video = element("avatar", HTMLVideoElement);
  #light = element("light", HTMLCanvasElement);
  #floor = element("floor", HTMLCanvasElement);
  #captions = element("captions", HTMLElement);

  constructor() {
    this.#video.addEventListener("playing", () => {
      if (this.#video.videoWidth) this.#stage.dataset.picture = "true";
      this.#look();
    });
    window.setInterval(() => this.#look(), LOOK_MS);
  }

  /** @param {{attach: (element: HTMLMediaElement) => void}} track Both in one element: in step. */
  show(track) {
    track.attach(this.#video);
  }

  /** @param {string} state idle, connecting, connected, reconnecting or ended. */
  setLine(state) {
    document.documentElement.dataset.callState = state;
    if (state === "connecting") this.#say("The avatar is called …");
    if (state === "reconnecting") this.#say("The line was lost, calling again …");
    if (state === "idle" || state === "ended") {
      delete this.#stage.dataset.picture;
      this.#captions.replaceChildren();
    }
  }

  /** @param {string} state Of the avatar: listening, thinking, speaking … */
  setState(state) {
    this.#stage.dataset.state = state;
    this.#say(STATES[state] ?? state);
  }

  /** @param {string} name "" when it has left. */
  setName(name) {
    if (name) element("avatar-name", HTMLElement).textContent = name;
    else {
      delete this.#stage.dataset.picture;
      this.#say("has left the room");
    }
  }

  /**
   * @param {{id: string, role: string, text: string, isFinal: boolean, mood: string}} caption A
   *   blank text takes the line away.
   */
  caption({ id, role, text, isFinal, mood }) {
    let line = this.#captions.querySelector(`[data-id="${CSS.escape(id)}"]`);
    if (!text.trim()) {
      line?.remove();
      return;
    }
    if (!line) {
      line = document.createElement("li");
      line.append(Object.assign(document.createElement("span"), { className: "caption-words" }));
      this.#captions.append(line);
      while (this.#captions.children.length > KEPT) this.#captions.firstElementChild?.remove();
    }
    Object.assign(/** @type {HTMLElement} */ (line).dataset, { id, role, final: isFinal, mood });
    /** @type {HTMLElement} */ (line.firstElementChild).textContent = text;
  }

  /** @param {string} words Shown until the next; "" takes them away. */
  notice(words) {
    const notice = element("notice", HTMLElement);
    notice.hidden = !words;
    notice.textContent = words;
  }

  /** @param {string} words Why the call ended, on the start screen. */
  ended(words) {
    const ended = element("ended", HTMLElement);
    ended.hidden = !words;
    ended.textContent = words;
  }

  /** @param {string} words */
  #say(words) {
    element("state", HTMLElement).textContent = words;
  }

  /** The picture's sides light the screen beside it, its lowest line goes on to the floor. */
  #look() {
    const [light, floor] = [this.#light.getContext("2d"), this.#floor.getContext("2d")];
    const { videoWidth: width, videoHeight: height } = this.#video;
    if (!light || !floor || !width || document.hidden) return;
    light.drawImage(this.#video, 0, 0, 8, height, 0, 0, 1, this.#light.height);
    light.drawImage(this.#video, width - 8, 0, 8, height, 1, 0, 1, this.#light.height);
    floor.drawImage(this.#video, 0, height - 3, width, 2, 0, 0, this.#floor.width, 1);
  }
}

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}

// @ts-check
/** The caller's microphone, camera and loudspeaker: asking for them, choosing and losing them. */

/** @typedef {"audioinput" | "videoinput" | "audiooutput"} DeviceKind */
/** @typedef {"microphone" | "camera"} Source */
/** @typedef {"refused" | "missing" | "busy" | "insecure" | "unknown"} ProblemKind */

/** Why a microphone or camera could not be had. */
export class MediaProblem extends Error {
  /**
   * @param {Source} source
   * @param {ProblemKind} kind
   */
  constructor(source, kind) {
    super(`${source}: ${kind}`);
    this.name = "MediaProblem";
    this.source = source;
    this.kind = kind;
  }
}

/** @type {Record<string, ProblemKind>} */
const KINDS = {
  NotAllowedError: "refused",
  SecurityError: "refused",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  AbortError: "busy",
};

// The browser takes the avatar's own voice out of the microphone, so that it does not hear itself.
const SOUND = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
// docs/protocol.md: the avatar looks at 4 pictures a second, 320 px wide; more only costs time.
const PICTURE = {
  width: { ideal: 320 },
  height: { ideal: 240 },
  frameRate: { ideal: 10, max: 15 },
  facingMode: "user",
};

/**
 * Owns the caller's tracks. Announces by `onChange` that a track, a choice or the list of devices
 * changed, and by `onLost` that a device went away during use.
 */
export class Devices {
  /** @type {MediaStreamTrack | null} */ microphone = null;
  /** @type {MediaStreamTrack | null} */ camera = null;
  isMuted = false;
  #isHeld = false;
  /** Counts closings, so that a device that the browser gives later stays closed. */
  #closings = 0;
  /** @type {Record<DeviceKind, string>} */ chosen;
  /** @type {() => void} */ onChange = () => {};
  /** @type {(source: Source) => void} */ onLost = () => {};

  constructor() {
    this.chosen = {
      audioinput: recall("audioinput"),
      videoinput: recall("videoinput"),
      audiooutput: recall("audiooutput"),
    };
    navigator.mediaDevices?.addEventListener("devicechange", () => this.onChange());
  }

  /** Whether this page may ask at all: browsers hide devices from pages without https. */
  static get isAvailable() {
    return Boolean(navigator.mediaDevices?.getUserMedia);
  }

  /** Whether the browser lets a page choose the loudspeaker. */
  static get canChooseSpeaker() {
    return "setSinkId" in HTMLMediaElement.prototype;
  }

  /**
   * Open the microphone, or another one than before.
   *
   * @throws {MediaProblem}
   */
  async openMicrophone() {
    const [track] = await this.#askForOne("microphone", { audio: this.#sound() }, { audio: SOUND });
    if (track) this.#setMicrophone(track);
  }

  /**
   * Open the camera, or another one than before.
   *
   * @throws {MediaProblem}
   */
  async openCamera() {
    const wanted = { video: this.#picture() };
    const [track] = await this.#askForOne("camera", wanted, { video: PICTURE }).catch((error) => {
      // Most phones open one camera at a time: the one that is shown may be what is in the way.
      if (this.camera && error.kind === "busy") return this.#exchange(this.camera, wanted);
      throw error;
    });
    if (track) this.#setCamera(track);
  }

  /**
   * Close a camera and open another; where that cannot be had, the first one again.
   *
   * @param {MediaStreamTrack} camera
   * @param {MediaStreamConstraints} wanted
   */
  async #exchange(camera, wanted) {
    const before = { video: { ...PICTURE, ...wish(camera.getSettings().deviceId ?? "") } };
    this.closeCamera();
    try {
      return await this.#ask("camera", wanted);
    } catch (error) {
      const [track] = await this.#ask("camera", before).catch(() => []);
      if (track) this.#setCamera(track);
      throw error;
    }
  }

  /**
   * Open microphone and camera with one question to the caller.
   *
   * @returns {Promise<MediaProblem | null>} What is wrong with the camera; a call needs none.
   * @throws {MediaProblem} No microphone.
   */
  async openBoth() {
    const closings = this.#closings;
    try {
      const both = { audio: this.#sound(), video: this.#picture() };
      for (const track of await this.#ask("camera", both)) {
        if (track.kind === "audio") this.#setMicrophone(track);
        else this.#setCamera(track);
      }
      return null;
    } catch (error) {
      if (!(error instanceof MediaProblem)) throw error;
      // Either may be at fault: ask for the one that matters.
      await this.openMicrophone();
      if (error.kind !== "missing" || closings !== this.#closings) return error;
      // It may be just the chosen one of either that is missing.
      return this.openCamera().then(
        () => null,
        (problem) => problem,
      );
    }
  }

  /** @param {boolean} isMuted */
  setMuted(isMuted) {
    this.isMuted = isMuted;
    this.#listen();
    this.onChange();
  }

  /** @param {boolean} isHeld Whether what is said now is not for the call, muted or not. */
  setHeld(isHeld) {
    this.#isHeld = isHeld;
    this.#listen();
  }

  #listen() {
    if (this.microphone) this.microphone.enabled = !this.isMuted && !this.#isHeld;
  }

  /** Switch the camera off, and its light with it. */
  closeCamera() {
    this.camera?.stop();
    this.camera = null;
    this.onChange();
  }

  /** Give both devices back, also those that the browser still asks the caller about. */
  close() {
    this.#closings += 1;
    this.isMuted = false; // of this call; the start screen says nothing of it
    this.microphone?.stop();
    this.microphone = null;
    this.closeCamera();
  }

  /**
   * Choose another device; an open one is replaced.
   *
   * @param {DeviceKind} kind
   * @param {string} id "" is the system's own choice.
   * @throws {MediaProblem}
   */
  async choose(kind, id) {
    this.chosen[kind] = id;
    remember(kind, id);
    if (kind === "audioinput" && this.microphone) await this.openMicrophone();
    if (kind === "videoinput" && this.camera) await this.openCamera();
    this.onChange();
  }

  /**
   * @param {DeviceKind} kind
   * @returns {Promise<MediaDeviceInfo[]>} Those the browser tells of; none before it was asked.
   */
  async list(kind) {
    if (!navigator.mediaDevices?.enumerateDevices) return [];
    const all = await navigator.mediaDevices.enumerateDevices();
    return all.filter((device) => device.kind === kind && device.deviceId !== "");
  }

  #sound() {
    return { ...SOUND, ...wish(this.chosen.audioinput) };
  }

  #picture() {
    return { ...PICTURE, ...wish(this.chosen.videoinput) };
  }

  /**
   * Ask for a device that was once chosen; it need not be plugged in today.
   *
   * @param {Source} source
   * @param {MediaStreamConstraints} chosen
   * @param {MediaStreamConstraints} any
   */
  async #askForOne(source, chosen, any) {
    return this.#ask(source, chosen).catch((error) => {
      if (error.kind !== "missing") throw error;
      return this.#ask(source, any);
    });
  }

  /**
   * @param {Source} source
   * @param {MediaStreamConstraints} constraints
   * @returns {Promise<MediaStreamTrack[]>} None when they are no longer wanted.
   * @throws {MediaProblem} They are still wanted.
   */
  async #ask(source, constraints) {
    const closings = this.#closings;
    /** @type {MediaStreamTrack[]} */ let tracks = [];
    try {
      tracks = await ask(source, constraints);
    } catch (error) {
      if (closings === this.#closings) throw error;
    }
    if (closings === this.#closings) return tracks;
    for (const track of tracks) track.stop();
    return [];
  }

  /** @param {MediaStreamTrack} track */
  #setMicrophone(track) {
    this.microphone?.stop();
    this.microphone = track;
    this.#listen();
    track.addEventListener("ended", () => {
      if (this.microphone !== track) return;
      this.microphone = null;
      this.onLost("microphone");
      this.onChange();
    });
    this.onChange();
  }

  /** @param {MediaStreamTrack} track */
  #setCamera(track) {
    this.camera?.stop();
    this.camera = track;
    track.addEventListener("ended", () => {
      if (this.camera !== track) return;
      this.camera = null;
      this.onLost("camera");
      this.onChange();
    });
    this.onChange();
  }
}

/**
 * Ask the caller for devices.
 *
 * @param {Source} source Which one is to blame if there are none.
 * @param {MediaStreamConstraints} constraints
 * @throws {MediaProblem}
 */
export async function ask(source, constraints) {
  if (!Devices.isAvailable) throw new MediaProblem(source, "insecure");
  try {
    return (await navigator.mediaDevices.getUserMedia(constraints)).getTracks();
  } catch (error) {
    throw new MediaProblem(source, kindOf(error));
  }
}

/** @param {unknown} error @returns {ProblemKind} */
function kindOf(error) {
  return KINDS[error instanceof Error ? error.name : ""] ?? "unknown";
}

/** @param {string} id */
function wish(id) {
  // Exact: Chrome takes no notice of anything less.
  return id ? { deviceId: { exact: id } } : {};
}

/** @param {DeviceKind} kind */
function recall(kind) {
  try {
    return localStorage.getItem(`rt-avatar.${kind}`) ?? "";
  } catch {
    return "";
  }
}

/**
 * @param {DeviceKind} kind
 * @param {string} id
 */
function remember(kind, id) {
  try {
    localStorage.setItem(`rt-avatar.${kind}`, id);
  } catch {
    // Storage is off: the choice holds until the page is closed.
  }
}

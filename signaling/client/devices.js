// @ts-check
/** The caller's microphone, camera and loudspeaker: asking for them, choosing and losing them. */

/** @typedef {"audioinput" | "videoinput" | "audiooutput"} DeviceKind */
/** @typedef {"microphone" | "camera"} Source */
/** @typedef {"refused" | "missing" | "busy" | "insecure" | "unknown"} ProblemKind */
/** @typedef {{source: Source}} Asking For devices; the source is to blame if there are none. */

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
 * changed, by `onOpen` that a device was opened, and by `onLost` that it went away during use.
 */
export class Devices {
  /** @type {MediaStreamTrack | null} */ microphone = null;
  /** @type {MediaStreamTrack | null} */ camera = null;
  isMuted = false;
  #isHeld = false;
  /**
   * The last asking for each: what comes of an earlier one stays closed. Null: none is wanted.
   *
   * @type {Record<Source, Asking | null>}
   */
  #askings = { microphone: null, camera: null };
  /** @type {Record<DeviceKind, string>} */ chosen;
  /** @type {() => void} */ onChange = () => {};
  /** @type {(source: Source) => void} */ onOpen = () => {};
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
    const asking = this.#begin("microphone");
    const chosen = { audio: this.#sound() };
    const any = { audio: SOUND };
    const [track] = await askForOne((wanted) => this.#ask(asking, wanted), chosen, any);
    if (track) this.#setMicrophone(track);
  }

  /**
   * Open the camera, or another one than before.
   *
   * @throws {MediaProblem}
   */
  async openCamera() {
    const asking = this.#begin("camera");
    const chosen = { video: this.#picture() };
    const tracks = askForOne((wanted) => this.#ask(asking, wanted), chosen, { video: PICTURE });
    const [track] = await tracks.catch((error) => {
      // Most phones open one camera at a time: the one that is shown may be what is in the way.
      if (this.camera && error.kind === "busy") return this.#exchange(this.camera, asking, chosen);
      throw error;
    });
    if (track) this.#setCamera(track);
  }

  /**
   * Close a camera and open another; where that cannot be had, the first one again.
   *
   * @param {MediaStreamTrack} camera
   * @param {Asking} asking
   * @param {MediaStreamConstraints} wanted
   */
  async #exchange(camera, asking, wanted) {
    const before = { video: { ...PICTURE, ...wish(camera.getSettings().deviceId ?? "") } };
    this.#dropCamera();
    try {
      return await this.#ask(asking, wanted);
    } catch (error) {
      const [track] = await this.#ask(asking, before).catch(() => []);
      if (track) this.#setCamera(track);
      if (this.#askings.camera !== asking) return [];
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
    const asking = this.#begin("camera", "microphone");
    try {
      const both = { audio: this.#sound(), video: this.#picture() };
      for (const track of await this.#ask(asking, both)) {
        if (track.kind === "audio") this.#setMicrophone(track);
        else this.#setCamera(track);
      }
      return null;
    } catch (error) {
      if (!(error instanceof MediaProblem)) throw error;
      // Either may be at fault: ask for the one that matters.
      await this.openMicrophone();
      if (this.#askings.camera !== asking) return null; // closed or asked for anew meanwhile
      if (error.kind !== "missing") return error;
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
    this.#askings.camera = null;
    this.#dropCamera();
  }

  #dropCamera() {
    this.camera?.stop();
    this.camera = null;
    this.onChange();
  }

  /** Give both devices back, also those that the browser still asks the caller about. */
  close() {
    this.#askings.microphone = null;
    this.isMuted = false; // of this call; the start screen says nothing of it
    this.microphone?.stop();
    this.microphone = null;
    this.closeCamera();
  }

  /**
   * Choose another device; one that is open, or should be, is replaced.
   *
   * @param {DeviceKind} kind
   * @param {string} id "" is the system's own choice.
   * @throws {MediaProblem}
   */
  async choose(kind, id) {
    this.chosen[kind] = id;
    remember(kind, id);
    if (kind === "audioinput" && this.#askings.microphone) await this.openMicrophone();
    if (kind === "videoinput" && this.#askings.camera) await this.openCamera();
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

  /** @returns {Promise<string>} The chosen loudspeaker; "", the system's, while it is not there. */
  async findSpeaker() {
    const there = await this.list("audiooutput");
    const id = this.chosen.audiooutput;
    return there.some((device) => device.deviceId === id) ? id : "";
  }

  /**
   * Open the chosen microphone beside the call.
   *
   * @param {MediaTrackConstraints} sound
   * @returns {Promise<MediaStreamTrack[]>} To be stopped by who asks.
   * @throws {MediaProblem}
   */
  async openForRecording(sound) {
    const chosen = { audio: { ...sound, ...wish(this.chosen.audioinput) } };
    return askForOne((wanted) => ask("microphone", wanted), chosen, { audio: sound });
  }

  #sound() {
    return { ...SOUND, ...wish(this.chosen.audioinput) };
  }

  #picture() {
    return { ...PICTURE, ...wish(this.chosen.videoinput) };
  }

  /**
   * @param {Source} source To blame.
   * @param {...Source} others
   * @returns {Asking}
   */
  #begin(source, ...others) {
    const asking = { source };
    for (const one of [source, ...others]) this.#askings[one] = asking;
    return asking;
  }

  /**
   * @param {Asking} asking
   * @param {MediaStreamConstraints} constraints
   * @returns {Promise<MediaStreamTrack[]>} Those that are still wanted of this asking.
   * @throws {MediaProblem} There are none, and some are still wanted.
   */
  async #ask(asking, constraints) {
    /** @type {MediaStreamTrack[]} */ let tracks = [];
    try {
      tracks = await ask(asking.source, constraints);
    } catch (error) {
      if (Object.values(this.#askings).includes(asking)) throw error;
    }
    return tracks.filter((track) => {
      const isWanted = this.#askings[track.kind === "audio" ? "microphone" : "camera"] === asking;
      if (!isWanted) track.stop();
      return isWanted;
    });
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
    this.onOpen("microphone");
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
    this.onOpen("camera");
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
async function ask(source, constraints) {
  if (!Devices.isAvailable) throw new MediaProblem(source, "insecure");
  try {
    return (await navigator.mediaDevices.getUserMedia(constraints)).getTracks();
  } catch (error) {
    throw new MediaProblem(source, kindOf(error));
  }
}

/**
 * Ask for a device that was once chosen; it need not be plugged in today.
 *
 * @param {(wanted: MediaStreamConstraints) => Promise<MediaStreamTrack[]>} ask
 * @param {MediaStreamConstraints} chosen
 * @param {MediaStreamConstraints} any
 */
async function askForOne(ask, chosen, any) {
  return ask(chosen).catch((error) => {
    if (error.kind !== "missing") throw error;
    return ask(any);
  });
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

// @ts-check
/** A call in a LiveKit room: joins, sends microphone and camera, and tells what the avatar does. */

import { ConnectionError, ConnectionErrorReason, DisconnectReason, Room, RoomEvent, Track } from "livekit-client";

const CHAT = "lk.chat";
const TRANSCRIPTION = "lk.transcription";
const STATE = "lk.agent.state";
const SEGMENT = "lk.segment_id";
const IS_FINAL = "lk.transcription_final";
const EXPRESSION = "lk.expression";
const NOTICE = "rt_avatar.notice";
const INTERRUPT = "rt_avatar.interrupt";

const ENDS = {
  [DisconnectReason.DUPLICATE_IDENTITY]: "This call goes on in another window: somebody else has joined under the same name.",
  [DisconnectReason.SERVER_SHUTDOWN]: "The server is being restarted. Please call again in a moment.",
  [DisconnectReason.PARTICIPANT_REMOVED]: "You were taken out of the room.",
  [DisconnectReason.ROOM_DELETED]: "The room was closed.",
};
const REFUSALS = {
  [ConnectionErrorReason.NotAllowed]: "The server does not accept this token: it has expired, or was signed with another key than the server's. Ask for a new one.",
  [ConnectionErrorReason.ServerUnreachable]: "The server cannot be reached. Is it running, and is its address right?",
  [ConnectionErrorReason.Timeout]: "The server took too long to answer. A firewall may be in the way; please try again.",
};

/**
 * Tells, as events: ``state`` (listening, thinking, speaking …), ``caption``, ``track`` (show it),
 * ``avatar`` (its name, or "" when it left), ``line`` (connected, reconnecting, ended) and
 * ``trouble`` (words for the caller).
 */
export class Call extends EventTarget {
  #room = new Room({
    audioCaptureDefaults: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    videoCaptureDefaults: { resolution: { width: 320, height: 240, frameRate: 10 } },
  });
  #hasJoined = false;
  #avatar = ""; // identity of the participant that is shown

  constructor() {
    super();
    const room = this.#room;
    room
      .on(RoomEvent.TrackSubscribed, (track, _publication, participant) => this.#take(track, participant))
      .on(RoomEvent.TrackUnsubscribed, (track) => track.detach())
      .on(RoomEvent.ParticipantAttributesChanged, (changed) => {
        if (changed[STATE]) this.#tell("state", changed[STATE]);
      })
      .on(RoomEvent.ParticipantDisconnected, (participant) => {
        if (participant.identity !== this.#avatar) return;
        this.#avatar = "";
        this.#tell("avatar", "");
      })
      .on(RoomEvent.DataReceived, (payload, participant, _kind, topic) => {
        if (topic === NOTICE) this.#takeNotice(noticeIn(payload), participant);
      })
      .on(RoomEvent.AudioPlaybackStatusChanged, () => {
        if (!room.canPlaybackAudio) this.#tell("trouble", "Tap anywhere to hear the avatar.");
      })
      .on(RoomEvent.SignalReconnecting, () => this.#tell("line", "reconnecting"))
      .on(RoomEvent.Reconnecting, () => this.#tell("line", "reconnecting"))
      .on(RoomEvent.Reconnected, () => this.#tellLine())
      .on(RoomEvent.Disconnected, (reason) => {
        if (this.#hasJoined) this.#tell("line", "ended", ENDS[reason ?? 0] ?? "");
      });
    room.registerTextStreamHandler(TRANSCRIPTION, (reader, sender) => this.#read(reader, sender));
  }

  get hasAvatar() {
    return this.#avatar !== "";
  }

  /**
   * Join, and let the microphone be heard.
   *
   * @param {string} url Of the LiveKit server, wss://… (ws://… on this machine only).
   * @param {string} token
   * @throws {Error} With words for the caller.
   */
  async join(url, token) {
    try {
      await this.#room.connect(url, token);
    } catch (error) {
      const known = error instanceof ConnectionError ? REFUSALS[error.reason] : undefined;
      throw new Error(known ?? `The call did not come about: ${error instanceof Error ? error.message : error}`);
    }
    this.#hasJoined = true;
    this.#tellLine();
    await this.setMuted(false);
  }

  /** @param {boolean} isMuted */
  async setMuted(isMuted) {
    try {
      await this.#room.localParticipant.setMicrophoneEnabled(!isMuted);
      return true;
    } catch {
      this.#tell("trouble", "There is no microphone, or it is not allowed here. You can type instead.");
      return false;
    }
  }

  /** @param {boolean} isOn The avatar sees a smile; nobody has to show theirs. */
  async setCamera(isOn) {
    try {
      await this.#room.localParticipant.setCameraEnabled(isOn);
      return true;
    } catch {
      this.#tell("trouble", "There is no camera, or it is not allowed here.");
      return false;
    }
  }

  /** @param {string} text Said by typing. */
  async say(text) {
    await this.#room.localParticipant.sendText(text, { topic: CHAT });
  }

  /** Ask the avatar to stop talking. An avatar that cannot be asked is interrupted by speaking. */
  async interrupt() {
    const destinationIdentity = this.#avatar;
    if (!destinationIdentity) return;
    await this.#room.localParticipant
      .performRpc({ destinationIdentity, method: INTERRUPT, payload: "" })
      .catch(() => undefined);
  }

  /** Let the browser play sound: only within a click or a tap. */
  async unlockSound() {
    await this.#room.startAudio();
  }

  async leave() {
    await this.#room.disconnect();
  }

  /**
   * @param {import("livekit-client").RemoteTrack} track
   * @param {import("livekit-client").RemoteParticipant} participant
   */
  #take(track, participant) {
    if (!participant.isAgent) return; // other callers are not shown
    this.#tell("track", track);
    if (track.kind !== Track.Kind.Video) return;
    this.#avatar = participant.identity;
    this.#tell("avatar", participant.name || participant.identity);
  }

  /** Tell that the line is there, and what the avatar has been doing, which is told as no change. */
  #tellLine() {
    this.#tell("line", "connected");
    for (const participant of this.#room.remoteParticipants.values()) {
      const state = participant.attributes[STATE];
      if (state) this.#tell("state", state);
    }
  }

  /**
   * An avatar that says goodbye is not replaced by another one, unless its server is closing. Without
   * a sender it is a worker's refusal to come.
   *
   * @param {{code: string, text: string, reason: string}} notice
   * @param {import("livekit-client").RemoteParticipant} [sender]
   */
  #takeNotice({ code, text, reason }, sender) {
    const others = [...this.#room.remoteParticipants.values()].filter((one) => one !== sender);
    const isOver = code === "bye" && reason !== "draining" && !others.some((one) => one.attributes[STATE]);
    if (isOver) this.#tell("line", "ended", text);
    else this.#tell("trouble", text);
  }

  /**
   * Words as they are said. A stream brings a segment piece by piece; a later stream of the same
   * segment replaces it.
   *
   * @param {import("livekit-client").TextStreamReader} reader
   * @param {{identity: string}} sender
   */
  async #read(reader, { identity }) {
    const role = identity === this.#room.localParticipant.identity ? "caller" : "avatar";
    const id = reader.info.attributes?.[SEGMENT] ?? reader.info.id;
    let text = "";
    try {
      for await (const piece of reader) {
        text += piece;
        this.#tell("caption", { id, role, text, isFinal: false, mood: "" });
      }
    } catch {
      return; // whoever spoke has left the room
    }
    const { [IS_FINAL]: isFinal, [EXPRESSION]: expression } = reader.info.attributes ?? {};
    this.#tell("caption", { id, role, text, isFinal: isFinal === "true", mood: moodOf(expression) });
  }

  /** @param {string} name @param {...unknown} detail */
  #tell(name, ...detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/**
 * @param {Uint8Array} payload JSON of a notice.
 * @returns {{code: string, text: string, reason: string}}
 */
function noticeIn(payload) {
  const none = { code: "", text: "", reason: "" };
  try {
    return { ...none, ...JSON.parse(new TextDecoder().decode(payload)) };
  } catch {
    return none;
  }
}

/** @param {string | undefined} expression JSON of ``lk.expression``. */
function moodOf(expression) {
  try {
    return expression ? (JSON.parse(expression).mood ?? "") : "";
  } catch {
    return "";
  }
}

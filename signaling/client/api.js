// @ts-check
/** The server's HTTP side: sessions and offers. Knows nothing of WebRTC objects. */

/**
 * @typedef {object} Persona
 * @property {string} name
 * @property {string} label
 * @property {string} age
 * @property {string} gender
 * @property {string} about
 * @property {string} portrait Address of a square picture.
 */

/**
 * @typedef {object} Session
 * @property {string} id
 * @property {string} token
 * @property {number} expires_s
 * @property {RTCIceServer[]} ice_servers
 * @property {Persona[]} personas
 * @property {string} persona
 * @property {{name: string, picture: string}[]} [portraits] Those that everybody may use.
 * @property {number} protocol
 * @property {Record<string, number>} [limits]
 * @property {{name: string, hint: string}} [recogniser]
 * @property {string} [reasoner]
 */

/** A request that failed. `reason` is the server's word, or "network" where none of it came. */
export class ApiError extends Error {
  /**
   * @param {string} reason
   * @param {string} message
   * @param {number} status 0 when the server was not reached.
   * @param {number} retryAfterS 0 when the server named no time.
   */
  constructor(reason, message, status = 0, retryAfterS = 0) {
    super(message);
    this.name = "ApiError";
    this.reason = reason;
    this.status = status;
    this.retryAfterS = retryAfterS;
  }

  /** Whether the session is no longer known, so that only a new one helps. */
  get isGone() {
    return [401, 403, 404, 410].includes(this.status);
  }

  /** Whether the visitor has no access token that is good. */
  get isAccess() {
    return this.reason.startsWith("access_token");
  }

  /** Whether there is no room now but may be soon. */
  get isFull() {
    return this.status === 503 || this.status === 429;
  }
}

// An offer is answered in well under a second; a caller should not wait longer than this for words.
const TIMEOUT_MS = 10_000;

/**
 * @param {string} method
 * @param {string} path
 * @param {{token?: string, body?: object, keepalive?: boolean, timeoutMs?: number}} [options]
 * @returns {Promise<any>} What the JSON says; of a picture a Blob.
 */
export async function request(method, path, options = {}) {
  const { token, body, keepalive = false, timeoutMs = TIMEOUT_MS } = options;
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: body ? JSON.stringify(body) : undefined,
      keepalive,
      cache: "no-store",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) return await contentOf(response);
  } catch (error) {
    throw new ApiError("network", String(error));
  }
  const content = await response.json().catch(() => null);
  throw new ApiError(
    String(content?.error?.reason ?? "internal"),
    String(content?.error?.text ?? `The server answered ${response.status}.`),
    response.status,
    Number(response.headers.get("Retry-After")) || 0,
  );
}

/**
 * @param {Response} response
 * @returns {Promise<any>}
 */
async function contentOf(response) {
  if (response.status === 204) return null;
  const isPicture = response.headers.get("Content-Type")?.startsWith("image/");
  return isPicture ? response.blob() : response.json();
}

/**
 * The access token that the site's backend signed for this visitor. It comes in the page's address,
 * behind the #, which browsers send to no server: https://…/#access_token=….
 */
export function accessToken() {
  return new URLSearchParams(location.hash.slice(1)).get("access_token") ?? undefined;
}

/**
 * Ask for a session. The server holds nothing for it before an offer, so it may also be asked for
 * only to learn who can be called.
 *
 * @param {string} [persona] Who should answer.
 * @param {import("./portraits.js").FaceChoice & import("./voices.js").VoiceChoice} [looks] What
 *   should be shown and heard; nothing: the persona's own.
 * @returns {Promise<Session>}
 */
export function createSession(persona, looks = {}) {
  return request("POST", "/api/sessions", {
    token: accessToken(),
    body: persona ? { persona, ...looks } : { ...looks },
  });
}

/**
 * Bring a session's relay credentials up to date: they are good for minutes, a call for longer.
 *
 * @param {Session} session
 */
export async function renewIceServers(session) {
  if (!session.ice_servers.some((server) => server.credential)) return;
  const path = `/api/sessions/${encodeURIComponent(session.id)}/ice_servers`;
  session.ice_servers = (await request("GET", path, { token: session.token })).ice_servers;
}

/**
 * @param {Session} session
 * @param {RTCSessionDescription} offer
 * @returns {Promise<RTCSessionDescriptionInit>}
 */
export function sendOffer(session, offer) {
  return request("POST", `/api/sessions/${encodeURIComponent(session.id)}/offer`, {
    token: session.token,
    body: { type: offer.type, sdp: offer.sdp },
  });
}

/**
 * End a session; works while the page is being closed. Never fails: a lost session ends by itself.
 *
 * @param {Session} session
 */
export async function endSession(session) {
  try {
    await request("DELETE", `/api/sessions/${encodeURIComponent(session.id)}`, {
      token: session.token,
      keepalive: true,
    });
  } catch {
    // The server forgets an unused session after its own time.
  }
}

/**
 * Delete a photograph or voice that the caller handed in; one that is gone already is no problem.
 *
 * @param {"portraits" | "voices"} kind
 * @param {{name: string, key: string}} own What the server gave for it.
 */
export async function deleteOwn(kind, { name, key }) {
  const path = `/api/${kind}/${encodeURIComponent(name)}`;
  await request("DELETE", path, { token: key }).catch((error) => {
    if (!["no_portrait", "no_voice"].includes(error.reason)) throw error;
  });
}

// @ts-check
/** What the server tells during a call, and which part of the page shows it. */

/** @typedef {import("./api.js").Session} Session */

const HINT_S = 8;

export class Messages {
  #stage;
  #captions;
  #panel;
  #notices;
  #events;

  /**
   * @param {import("./stage.js").Stage} stage
   * @param {import("./captions.js").Captions} captions
   * @param {import("./panel.js").Panel} panel
   * @param {import("./notices.js").Notices} notices
   * @param {{onServer: (session: Session) => void, onPersona: (name: string) => void}} events
   */
  constructor(stage, captions, panel, notices, events) {
    this.#stage = stage;
    this.#captions = captions;
    this.#panel = panel;
    this.#notices = notices;
    this.#events = events;
  }

  /** @param {Record<string, any>} message docs/protocol.md; what is not known is ignored. */
  take(message) {
    switch (message.type) {
      case "hello":
        this.#events.onServer(/** @type {Session} */ (message));
        break;
      case "state":
        this.#stage.setState(String(message.state));
        break;
      case "caption":
        this.#captions.show(/** @type {any} */ (message));
        break;
      case "plan":
        this.#panel.showPlan(/** @type {any} */ (message));
        break;
      case "affect":
        this.#panel.showAffect(/** @type {any} */ (message));
        break;
      case "trace":
        this.#panel.showTrace(/** @type {any} */ (message));
        break;
      case "persona":
        this.#events.onPersona(String(message.name));
        break;
      case "pong":
        this.#panel.showTrip(performance.now() - Number(message.t));
        break;
      case "notice":
        this.#notices.show(`server-${message.code}`, { title: String(message.text), forS: HINT_S });
    }
  }
}

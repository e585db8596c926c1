// @ts-check
/** The settings dialog: devices, look, shortcuts, and who listens on the server. */

import { Devices } from "./devices.js";
import { byId, el } from "./dom.js";

/** @typedef {import("./devices.js").DeviceKind} DeviceKind */

const THEME = "rt-avatar.theme";

/** @type {[kind: DeviceKind, id: string, name: string][]} */
const PICKERS = [
  ["audioinput", "pick-microphone", "Microphone"],
  ["videoinput", "pick-camera", "Camera"],
  ["audiooutput", "pick-speaker", "Loudspeaker"],
];

export class SettingsDialog {
  /** @type {Devices} */ #devices;
  /** @type {HTMLDialogElement} */ #dialog = byId("settings", HTMLDialogElement);

  /**
   * @param {Devices} devices
   * @param {import("./shortcuts.js").Shortcuts} shortcuts
   * @param {(error: unknown) => void} onProblem A chosen device could not be opened.
   */
  constructor(devices, shortcuts, onProblem) {
    this.#devices = devices;
    for (const [kind, id] of PICKERS) {
      const picker = byId(id, HTMLSelectElement);
      picker.addEventListener("change", () => {
        devices.choose(kind, picker.value).catch(onProblem);
      });
    }
    byId("speaker-row", HTMLElement).hidden = !Devices.canChooseSpeaker;
    byId("speaker-none", HTMLElement).hidden = Devices.canChooseSpeaker;
    const keys = byId("shortcuts-on", HTMLInputElement);
    keys.checked = shortcuts.isOn;
    keys.addEventListener("change", () => shortcuts.setOn(keys.checked));
    const theme = byId("pick-theme", HTMLSelectElement);
    theme.value = document.documentElement.dataset.theme ?? "system";
    theme.addEventListener("change", () => setTheme(theme.value));
  }

  open() {
    void this.refresh();
    this.#dialog.showModal();
  }

  /** Bring the lists of devices up to date. */
  async refresh() {
    let isNamed = false;
    for (const [kind, id, name] of PICKERS) {
      const picker = byId(id, HTMLSelectElement);
      const devices = await this.#devices.list(kind);
      const options = [el("option", { value: "" }, "System's choice")];
      for (const [index, device] of devices.entries()) {
        if (device.deviceId === "default" || device.deviceId === "communications") continue;
        const label = device.label || `${name} ${index + 1}`;
        options.push(el("option", { value: device.deviceId }, label));
      }
      isNamed ||= devices.some((device) => device.label !== "");
      picker.replaceChildren(...options);
      picker.value = this.#devices.chosen[kind];
      if (picker.selectedIndex < 0) picker.value = "";
    }
    byId("names-hint", HTMLElement).hidden = isNamed;
  }

  /** @param {import("./api.js").Session} session */
  showServer({ recogniser, reasoner }) {
    byId("recogniser", HTMLElement).textContent = recogniser?.name ?? "unknown";
    byId("recogniser-hint", HTMLElement).textContent = recogniser?.hint ?? "";
    byId("reasoner", HTMLElement).textContent = reasoner ?? "unknown";
  }
}

/** @param {string} theme "system", "light" or "dark". */
function setTheme(theme) {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(THEME);
    else localStorage.setItem(THEME, theme);
  } catch {
    // Storage is off: the choice holds until the page is closed.
  }
}

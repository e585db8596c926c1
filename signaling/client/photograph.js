// @ts-check
/** The dialog "Use a photograph": choose it, put its points right, see it move, consent, use it. */

import { byId } from "./dom.js";
import { inBase64 } from "./files.js";
import { LookDialog } from "./lookdialog.js";
import { PointEditor } from "./points.js";
import { handIn } from "./portraits.js";

const JPEG_QUALITY = 0.92;

export class PhotographDialog extends LookDialog {
  /** @type {(portrait: import("./portraits.js").Portrait) => void} */ #onKept;
  /** @type {HTMLButtonElement} */ #see = byId("photograph-see", HTMLButtonElement);
  /** @type {HTMLImageElement} */ #strip = byId("photograph-strip", HTMLImageElement);
  #editor = new PointEditor(
    byId("photograph-points", SVGSVGElement),
    byId("photograph-parts", HTMLElement),
    () => this.#showMoving(null),
  );
  #picture = ""; // base64
  #shown = ""; // address of the picture that is edited
  #most = Infinity;

  /** @param {(portrait: import("./portraits.js").Portrait) => void} onKept */
  constructor(onKept) {
    super("photograph");
    this.#onKept = onKept;
    const drop = byId("photograph-drop", HTMLElement);
    this.file.addEventListener("change", () => this.#take(this.takeFile()));
    drop.addEventListener("dragover", (event) => event.preventDefault());
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      this.#take(event.dataTransfer?.files[0]);
    });
    this.#see.addEventListener("click", () => void this.#preview());
    this.keep.addEventListener("click", () => void this.#use());
    byId("photograph-other", HTMLButtonElement).addEventListener("click", () => this.reset());
  }

  /** @param {Record<string, number> | undefined} limits */
  setLimits(limits) {
    this.#most = limits?.picture_bytes ?? Infinity;
    const days = limits?.portrait_days;
    byId("photograph-days", HTMLElement).textContent = days
      ? `It stays on this server for ${days} days or until you delete it; no other caller gets it.`
      : "";
  }

  reset() {
    super.reset();
    this.#picture = "";
    if (this.#shown) URL.revokeObjectURL(this.#shown);
    this.#shown = "";
    this.#showMoving(null);
    this.#show(false);
  }

  /** @param {boolean} isEditing */
  #show(isEditing) {
    byId("photograph-choose", HTMLElement).hidden = isEditing;
    byId("photograph-edit", HTMLElement).hidden = !isEditing;
    this.enable();
  }

  enable() {
    this.keep.disabled = !this.consent.checked || this.isBusy;
    this.#see.disabled = this.isBusy;
  }

  /** @param {File | undefined} file */
  async #take(file) {
    if (!file) return;
    this.tell("");
    if (file.size > this.#most) {
      const most = Math.floor(this.#most / 1e6);
      return this.tell(`Expected a file of at most ${most} MB. Save a smaller copy of it.`);
    }
    this.reset(); // one that is still looked at is given up
    const found = await this.ask("Looking for the face…", async () => {
      const face = await handIn("/points", { picture: await inBase64(file) });
      // From here on the upright picture of just the size that the points are for.
      const picture = await redrawn(file, face.width, face.height);
      return { ...face, picture, data: await inBase64(picture) };
    });
    if (!found) return;
    const { width, height, points } = found;
    this.#picture = found.data;
    this.#shown = URL.createObjectURL(found.picture);
    this.#show(true);
    this.#editor.show(this.#shown, width, height, points);
    void this.#preview();
  }

  async #preview() {
    const body = { picture: this.#picture, points: this.#editor.points };
    const asked = JSON.stringify(body.points);
    const strip = await this.ask("Making it move…", () => handIn("/preview", body));
    // Pictures of points that were moved while they were made are dropped.
    if (strip && asked === JSON.stringify(this.#editor.points)) this.#showMoving(strip);
  }

  async #use() {
    const body = { picture: this.#picture, points: this.#editor.points, consent: true };
    const portrait = await this.ask("Keeping it…", async () => {
      const { name, key } = await handIn("", body);
      // Taken even when the dialog was closed: it is kept, and only this page has the key.
      this.#onKept({ name, key });
      return name;
    });
    if (portrait) this.close();
  }

  /** @param {Blob | null} strip Pictures side by side; null: points have moved since. */
  #showMoving(strip) {
    if (this.#strip.src) URL.revokeObjectURL(this.#strip.src);
    this.#strip.hidden = !strip;
    if (strip) this.#strip.src = URL.createObjectURL(strip);
    else this.#strip.removeAttribute("src");
  }
}

/**
 * Return a picture turned as its EXIF says, at another size.
 *
 * @param {Blob} file
 * @param {number} width
 * @param {number} height
 * @returns {Promise<Blob>}
 */
async function redrawn(file, width, height) {
  const bitmap = await createImageBitmap(file); // Safari 16 knows no "from-image", but does it
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new DOMException("no picture", "EncodingError"))),
      "image/jpeg",
      JPEG_QUALITY,
    ),
  );
}

// @ts-check
/** What all dialogs have: buttons that open them, and a backdrop that closes them. */

/** @param {(id: string) => void} open Opens the dialog of that id. */
export function connectDialogs(open) {
  for (const button of document.querySelectorAll("[data-open]")) {
    button.addEventListener("click", () => open(button.getAttribute("data-open") ?? ""));
  }
  for (const dialog of document.querySelectorAll("dialog")) closeOnBackdrop(dialog);
}

/** @param {HTMLDialogElement} dialog */
function closeOnBackdrop(dialog) {
  let isPressed = false;
  dialog.addEventListener("pointerdown", (event) => (isPressed = event.target === dialog));
  dialog.addEventListener("click", (event) => {
    // Not of what was begun inside, as when words are marked.
    if (event.target === dialog && isPressed) dialog.close();
  });
}

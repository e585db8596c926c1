// @ts-check
/** What this browser keeps from call to call. Where storage is off, nothing is. */

/**
 * @param {string} name
 * @returns {any} Null: nothing is kept.
 */
export function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {object} value
 */
export function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage is off.
  }
}

/**
 * Forget what is kept, unless another tab has put something else there: a key that is lost opens
 * nothing any more, and deletes nothing.
 *
 * @param {string} name
 * @param {object | null} value
 */
export function forget(name, value) {
  if (JSON.stringify(read(name)) !== JSON.stringify(value)) return;
  try {
    localStorage.removeItem(name);
  } catch {
    // Storage is off.
  }
}

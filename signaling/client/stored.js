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
 * @param {object | null} value Null: forget it.
 */
export function write(name, value) {
  try {
    if (value) localStorage.setItem(name, JSON.stringify(value));
    else localStorage.removeItem(name);
  } catch {
    // Storage is off.
  }
}

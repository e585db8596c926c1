// Runs before the first paint, hence no module: a remembered theme must not flash.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("rt-avatar.theme");
  } catch {
    // Storage is off in this browser: the system's theme holds.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();

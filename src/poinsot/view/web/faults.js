/* Errors of the page, shown as they are. Loaded first, so that it catches everything. */

/** Show an error; the first one stays, since later ones often follow from it. */
function report(error) {
  const box = document.getElementById("fault");
  if (!box.hidden) return;
  box.textContent = `This page has an error: ${error instanceof Error ? `${error.name}: ${error.message}` : error}`;
  box.hidden = false;
}

window.addEventListener("error", (event) => {
  if (event.error || !/^ResizeObserver loop/.test(event.message)) report(event.error || event.message); // this one is harmless: a box was resized twice in one frame
});
window.addEventListener("unhandledrejection", (event) => report(event.reason));

/** Whether this browser supports WebGL, tested on a separate canvas. */
function hasWebGL() {
  const context = document.createElement("canvas").getContext("webgl2");
  if (context) context.getExtension("WEBGL_lose_context")?.loseContext(); // browsers limit their number
  return context !== null;
}

/* What goes wrong in the page, shown as what it is. Comes first, so that it hears of everything. */

/** Show what went wrong; what was said first stays, since the rest often follows from it. */
function report(error) {
  const box = document.getElementById("fault");
  if (!box.hidden) return;
  box.textContent = `This page has an error: ${error instanceof Error ? `${error.name}: ${error.message}` : error}`;
  box.hidden = false;
}

window.addEventListener("error", (event) => {
  if (event.error || !/^ResizeObserver loop/.test(event.message)) report(event.error || event.message); // that one is harmless: a box changed again in the same frame
});
window.addEventListener("unhandledrejection", (event) => report(event.reason));

/** Whether this browser draws with WebGL at all; asked of a canvas of its own. */
function hasWebGL() {
  const context = document.createElement("canvas").getContext("webgl2");
  if (context) context.getExtension("WEBGL_lose_context")?.loseContext(); // browsers allow only some at a time
  return context !== null;
}

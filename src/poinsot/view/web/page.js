/* The page: reads its data, creates scene and plots, and connects them to one clock. */

const byId = (id) => document.getElementById(id);
const pageData = JSON.parse(byId("data").textContent);
const runs = pageData.runs.map((run, k) => new Run(run, k));
const clock = new Clock(Math.min(...runs.map((run) => run.start)), Math.max(...runs.map((run) => run.end)));

/** Title, description, what was run. */
function heading() {
  byId("title").textContent = pageData.title;
  document.title = pageData.title;
  byId("description").textContent = pageData.description;
  byId("description").hidden = !pageData.description;
  const first = pageData.runs[0];
  const many = (n, noun) => `${n} ${n === 1 ? noun.replace("ies", "y") : noun}`;
  byId("facts").textContent = runs.length > 1
    ? `${runs.length} runs overlaid`
    : `${many(runs[0].bodies, "bodies")}, ${first.method}, ${first.start.toFixed(2).replace(/\.?0+$/, "")} to ${first.end.toFixed(3).replace(/\.?0+$/, "")} s`;
}

/** The audits, and how the page differs from the outputs. */
function audits() {
  for (const run of runs) {
    if (runs.length > 1) byId("audit").append(element("h3", {}, run.name));
    byId("audit").append(...auditLines(run.audit));
  }
  const notes = runs.map((run, k) => {
    const { outputs, thinned, leftOut } = pageData.runs[k];
    const words = [];
    if (run.t.length < outputs) words.push(`the scene shows ${run.t.length} of ${outputs} outputs`);
    if (thinned) words.push("long curves show the minimum and maximum of every interval");
    const sentences = words.length ? [`Resampled: ${words.join("; ")}.`] : [];
    if (leftOut > 0) sentences.push(`${leftOut} further results are not in this page; write_html(plots=[...]) includes them by name.`);
    return sentences.length && runs.length > 1 ? `${run.name}: ${sentences.join(" ")}` : sentences.join(" ");
  });
  byId("thinned").textContent = notes.filter(Boolean).join(" ");
}

/** An audit as a heading and pairs of term and description, like its columns. */
function auditLines(text) {
  const [first, ...lines] = text.split("\n");
  const list = element("dl");
  for (const line of lines) list.append(element("dt", {}, line.slice(0, 15).trim()), element("dd", {}, line.slice(15).trim()));
  return [element("p", {}, first), list];
}

/** The scene, or a message when it cannot be drawn. */
function makeScene() {
  try {
    const view = new SceneView(byId("scene"), byId("canvas"), runs);
    view.controls.addEventListener("start", () => {
      view.touched = true;
    });
    return view;
  } catch (error) {
    if (hasWebGL()) {
      console.error(error);
      report(error);
      byId("nogl").textContent = "The scene could not be drawn. Plots and audit still work.";
    } else {
      byId("nogl").textContent = "This browser cannot show the scene: WebGL is off or missing. Plots and audit still work.";
      console.info(`no scene: ${error.message}`);
    }
    byId("nogl").hidden = false;
    for (const id of ["canvas", "triad"]) byId(id).hidden = true;
    for (const control of document.querySelectorAll(".views button, .views select")) control.disabled = true;
    return null;
  }
}

heading();
audits();
const play = transport(clock, byId);
happeningMarks(byId("time"), runs, clock);
const view = makeScene();
const panels = new Panels(byId("plots"), pageData.groups, runs, [clock.start, clock.end], (t) => clock.set(t));
byId("add").addEventListener("click", () => panels.add().root.scrollIntoView({ block: "nearest" }));

/** Toggle buttons for the options of the scene. */
function toggle(id) {
  const button = byId(id);
  if (button.hidden) return;
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  if (view) view.set(id, on);
  arrowNotes();
}

for (const id of ["velocities", "loads", "reactions", "labels", "grid"]) byId(id).addEventListener("click", () => toggle(id));
if (!runs.some((run) => run.arrows.some((arrow) => arrow.kind === "load"))) byId("loads").hidden = true;
if (!runs.some((run) => run.arrows.some((arrow) => arrow.kind === "reaction"))) byId("reactions").hidden = true;

/** Scales of the arrows, and the cell size of the grid. */
function arrowNotes() {
  if (!view) return;
  const words = [];
  const pressed = (id) => byId(id).getAttribute("aria-pressed") === "true";
  const about = (x) => short(Number(x.toPrecision(2)));
  if (pressed("velocities")) words.push(`velocities up to about ${about(view.scales.velocities[0])} m/s`);
  if (pressed("loads")) {
    const [force, torque] = view.scales.loads;
    words.push(`loads up to about ${[force ? `${about(force)} N` : "", torque ? `${about(torque)} N m (arcs)` : ""].filter(Boolean).join(", ")}`);
  }
  if (pressed("reactions")) words.push(`reactions up to about ${about(view.scales.reactions[0])} N`);
  if (pressed("grid")) words.push(`grid ${short(view.cell)} m`);
  byId("notes").replaceChildren(...words.map((text) => element("div", {}, text)));
}

const trails = byId("trails"), follow = byId("follow");
trails.addEventListener("change", () => view && view.setTrails(trails.value));
runs.forEach((run, r) => run.scene.bodies.forEach((body, k) => {
  follow.append(element("option", { value: `${r} ${k + 1}` }, runs.length > 1 ? `${body.name} (${run.name})` : body.name));
}));
function setFollow(value) {
  follow.value = value;
  const [run, body] = value.split(" ").map(Number);
  if (view) view.follow(value ? { run, body } : null);
}
follow.addEventListener("change", () => setFollow(follow.value));
if (runs[0].scene.roams) setFollow("0 1");
function resetView() {
  if (!view) return;
  view.touched = false;
  view.reset();
}
byId("reset").addEventListener("click", resetView);

/** One button per run, to hide it. */
function legend() {
  const box = byId("runs");
  box.hidden = runs.length < 2;
  if (box.hidden) return;
  for (const run of runs) {
    const button = element("button", { type: "button", "aria-pressed": "true" });
    const swatch = element("i");
    swatch.style.color = `#${TINTS[run.index % TINTS.length].toString(16).padStart(6, "0")}`;
    swatch.style.borderTopStyle = ["solid", "dashed", "dotted"][Math.min(run.index, 2)];
    button.append(swatch, element("span", {}, run.name));
    button.addEventListener("click", () => {
      run.visible = !run.visible;
      button.setAttribute("aria-pressed", String(run.visible));
      panels.redraw();
      if (view) view.request();
    });
    box.append(button);
  }
}
legend();

/** Light or dark: the system setting, until the button is used. */
const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  if (view) view.recolour();
  panels.redraw();
}
let themeChosen = false;
prefersDark.addEventListener("change", () => {
  if (!themeChosen) setTheme(prefersDark.matches);
});
function flipTheme() {
  themeChosen = true;
  setTheme(!isDark());
}
byId("theme").addEventListener("click", flipTheme);
setTheme(prefersDark.matches);

const keysDialog = byId("keys");
byId("help").addEventListener("click", () => keysDialog.showModal());
byId("closekeys").addEventListener("click", () => keysDialog.close());
const cycle = (select, change) => {
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  change();
};
keyboard([
  { on: ["space", "k"], shown: "space", words: "play, pause", act: () => clock.play(!clock.playing) },
  { on: ["ArrowLeft"], shown: "←", words: "step back; further with shift", act: (e) => play.step(e.shiftKey ? -20 : -1) },
  { on: ["ArrowRight"], shown: "→", words: "step forward; further with shift", act: (e) => play.step(e.shiftKey ? 20 : 1) },
  { on: ["Home"], shown: "home", words: "to the start", act: () => clock.set(clock.start) },
  { on: ["End"], shown: "end", words: "to the end", act: () => clock.set(clock.end) },
  { on: ["+", "="], shown: "+", words: "faster", act: () => play.faster(1) },
  { on: ["-", "_"], shown: "−", words: "slower", act: () => play.faster(-1) },
  { on: ["l"], shown: "l", words: "loop", act: () => play.loop() },
  { on: ["t"], shown: "t", words: "trails", act: () => cycle(trails, () => view && view.setTrails(trails.value)) },
  { on: ["v"], shown: "v", words: "velocities", act: () => toggle("velocities") },
  { on: ["o"], shown: "o", words: "loads", act: () => toggle("loads") },
  { on: ["e"], shown: "e", words: "reactions", act: () => toggle("reactions") },
  { on: ["n"], shown: "n", words: "names", act: () => toggle("labels") },
  { on: ["g"], shown: "g", words: "grid", act: () => toggle("grid") },
  { on: ["f"], shown: "f", words: "follow the next body", act: () => cycle(follow, () => setFollow(follow.value)) },
  { on: ["r"], shown: "r", words: "reset view", act: resetView },
  { on: ["d"], shown: "d", words: "light or dark", act: flipTheme },
  { on: ["?"], shown: "?", words: "show keys", act: () => keysDialog.showModal() },
]);

clock.listeners.push((time) => {
  for (const run of runs) run.seek(time);
  panels.setTime(time);
  if (view) view.request();
});
arrowNotes();
clock.set(clock.start);
if (view) {
  view.resize();
  view.draw();
}
performance.mark("drawn");
document.documentElement.dataset.drawn = performance.now().toFixed(0); // ms since the page was opened

/* For scripts that control the page from outside. */
window.poinsot = { clock, runs, view, panels };

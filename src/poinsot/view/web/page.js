/* The page: reads its data, creates scene and plots, and connects them to one clock. `show` replaces the data of an open page. */

const byId = (id) => document.getElementById(id);
const clock = new Clock();
const play = transport(clock, byId);
const panels = new Panels(byId("plots"), (t) => clock.set(t));
let pageData = null, runs = [], view = null, toolbar = null;

/** Title, description, what was run. */
function heading() {
  byId("title").textContent = pageData.title;
  document.title = pageData.title;
  byId("description").textContent = pageData.description;
  byId("description").hidden = !pageData.description;
  const first = pageData.runs[0];
  const many = (n, noun) => `${n} ${n === 1 ? noun.replace("ies", "y") : noun}`;
  const seconds = (t, digits) => t.toFixed(digits).replace(/\.?0+$/, "");
  byId("facts").textContent = pageData.facts || (runs.length > 1
    ? `${runs.length} runs overlaid`
    : `${many(runs[0].bodies, "bodies")}, ${first.method}, ${seconds(first.start, 2)} to ${seconds(first.end, 3)} s`);
}

/** The audits, what is rounding and therefore not plotted, and how the page differs from the outputs. */
function audits() {
  byId("audit").replaceChildren();
  byId("auditcard").hidden = runs.every((run) => !run.audit);
  for (const run of runs) {
    if (runs.length > 1) byId("audit").append(element("h3", {}, run.name));
    byId("audit").append(...auditLines(run.audit));
  }
  const noise = ({ relative }, series) => (relative ? series?.still : series?.rounding) ?? null;
  const folded = ({ key }) => ["energies", "energy_error"].includes(key) || key.startsWith("opening_");
  const quiet = pageData.groups.filter((group) => folded(group) && group.of.every((name) => runs.every((run) => noise(group, run.data.series[name]) !== null)));
  byId("rounding").hidden = quiet.length === 0;
  byId("rounding").replaceChildren(element("summary", {}, "At rounding level, not plotted"), ...quiet.map((group) => {
    const most = Math.max(...runs.flatMap((run) => group.of.map((name) => noise(group, run.data.series[name]))));
    return element("p", {}, `${group.title}: at most ${short(most)} ${pretty(group.unit)}`);
  }));
  const notes = runs.map((run, k) => {
    const { outputs, thinned, leftOut } = pageData.runs[k];
    const words = [];
    if (run.t.length < outputs) words.push(`the scene shows ${run.t.length} of ${outputs} outputs`);
    if (thinned) words.push("long curves show the minimum and maximum of every interval, and some of the outputs where one is drawn over another; values between them are marked with ≈, or told as a range");
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

/** The scene with the runs, or a message when it cannot be drawn. */
function showScene() {
  try {
    view = view || new SceneView(byId("scene"), byId("canvas"));
    view.load(runs);
  } catch (error) {
    view = null;
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
    for (const control of document.querySelectorAll(".views button, .views select, .views input")) control.disabled = true;
  }
}

/** One button per run, to hide it. */
function legend() {
  const box = byId("runs");
  box.hidden = runs.length < 2;
  box.replaceChildren();
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

/** Select a body {run, body}, or null: it is highlighted, and its results are plotted first. */
function pickBody(target) {
  if (view) view.pick(target);
  const card = panels.showElement(target ? runs[target.run].scene.bodies[target.body - 1].name : null);
  if (card) byId("plots").parentElement.scrollTop = 0;
}

/** Show data, those of the page at first; time, view and plots of an open page stay as far as the new data have them. */
function show(data) {
  pageData = data;
  runs = data.runs.map((run, k) => new Run(run, k));
  clock.load(Math.min(...runs.map((run) => run.start)), Math.max(...runs.map((run) => run.end)));
  play.load();
  happeningMarks(byId("time"), runs, clock);
  heading();
  audits();
  legend();
  showScene();
  panels.load(data.groups, runs, [clock.start, clock.end]);
  byId("add").hidden = panels.groups.length === 0;
  toolbar = toolbar || new Toolbar(byId, view, clock, pickBody);
  toolbar.load(runs);
  clock.set(clock.time);
  if (view) view.draw();
}

/** Light or dark: the system setting, until the button is used. */
const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  forgetInk();
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

clock.listeners.push((time) => {
  for (const run of runs) run.seek(time);
  panels.setTime(time);
  if (view) view.request();
});
show(JSON.parse(byId("data").textContent));
byId("add").addEventListener("click", () => {
  const card = panels.add();
  card.root.scrollIntoView({ block: "nearest" });
  card.picker.open();
  card.picker.box.scrollIntoView({ block: "nearest" });
});

const keysDialog = byId("keys");
byId("help").addEventListener("click", () => keysDialog.showModal());
byId("closekeys").addEventListener("click", () => keysDialog.close());
const cycle = (select, change) => {
  do select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  while (select.options[select.selectedIndex].disabled);
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
  { on: ["t"], shown: "t", words: "trails", act: () => cycle(toolbar.trails, () => toolbar.setTrails()) },
  { on: ["v"], shown: "v", words: "velocities", act: () => toolbar.toggle("velocities") },
  { on: ["w"], shown: "w", words: "angular velocities", act: () => toolbar.toggle("spins") },
  { on: ["m"], shown: "m", words: "angular momenta", act: () => toolbar.toggle("momenta") },
  { on: ["a"], shown: "a", words: "axes of bodies", act: () => toolbar.toggle("axes") },
  { on: ["o"], shown: "o", words: "loads", act: () => toolbar.toggle("loads") },
  { on: ["e"], shown: "e", words: "reactions", act: () => toolbar.toggle("reactions") },
  { on: ["n"], shown: "n", words: "names of bodies", act: () => toolbar.toggle("labels") },
  { on: ["j"], shown: "j", words: "names of joints", act: () => toolbar.toggle("jointnames") },
  { on: ["g"], shown: "g", words: "grid", act: () => toolbar.toggle("grid") },
  { on: ["f"], shown: "f", words: "follow the next body", act: () => cycle(toolbar.follow, () => toolbar.setFollow(toolbar.follow.value)) },
  { on: ["1"], shown: "1 2 3 4", words: "front, top, side, isometric view", act: () => toolbar.standard("front") },
  { on: ["2"], act: () => toolbar.standard("top") },
  { on: ["3"], act: () => toolbar.standard("side") },
  { on: ["4"], act: () => toolbar.standard("isometric") },
  { on: ["5"], shown: "5", words: "orthographic or perspective", act: () => toolbar.orthographic() },
  { on: ["r"], shown: "r", words: "reset view", act: () => toolbar.reset() },
  { on: ["d"], shown: "d", words: "light or dark", act: flipTheme },
  { on: ["Escape"], shown: "esc", words: "select no body", act: () => pickBody(null) },
  { on: ["?"], shown: "?", words: "show keys", act: () => keysDialog.showModal() },
]);

performance.mark("drawn");
document.documentElement.dataset.drawn = performance.now().toFixed(0); // ms since the page was opened

/* For scripts that control the page from outside. */
window.poinsot = {
  clock, panels, show, pick: pickBody, files: { csvOf, svgOf, noVideo },
  get runs() { return runs; },
  get view() { return view; },
  get toolbar() { return toolbar; },
};

/* The page of a drawing: nothing was run. Its freedoms swing at first order, one after the other or one alone. */

{ // names of its own, whatever other scripts use
const byId = (id) => document.getElementById(id);
const pageData = JSON.parse(byId("data").textContent);
const drawing = pageData.preview;
const PERIOD = 2.4; // s, of a swing
const WRONG = 0xd62f1f;
const MANY_NAMES = 60; // joints: with more, names are off at first

/** The drawing as a run without time: bodies are displaced along the screw of one freedom. */
class Drawing extends Run {
  constructor(data, index) {
    super(data, index);
    this.swings = decode(drawing.swings);
    this.which = -1;
    this.amount = 0;
    for (const name of ["spin", "across", "shift", "column"]) this[name] = new THREE.Vector3();
  }

  /** Displace everything by a freedom (-1: none), relative to its amplitude. */
  move(which, amount) {
    this.which = which;
    this.amount = amount;
  }

  place() {
    super.place();
    if (this.which < 0 || this.amount === 0) return;
    for (let body = 1; body <= this.bodies; body += 1) this.displace(body);
  }

  displace(body) {
    const at = 6 * (this.which * this.bodies + body - 1), s = this.swings, m = this.places, o = 12 * body;
    const { shift, spin, across, column } = this;
    shift.set(s[at], s[at + 1], s[at + 2]).multiplyScalar(this.amount);
    spin.set(s[at + 3], s[at + 4], s[at + 5]).multiplyScalar(this.amount);
    const angle = spin.length();
    column.fromArray(m, o + 9).add(shift);
    if (angle > 1e-9) {
      across.crossVectors(spin, shift);
      column.addScaledVector(across, (1 - Math.cos(angle)) / angle ** 2);
      across.crossVectors(spin, across);
      column.addScaledVector(across, (angle - Math.sin(angle)) / angle ** 3);
    }
    column.toArray(m, o + 9);
    if (angle <= 1e-9) return;
    spin.divideScalar(angle);
    for (const k of [0, 3, 6]) column.fromArray(m, o + k).applyAxisAngle(spin, angle).toArray(m, o + k);
  }
}

/** Straight rods between pairs of points, one mesh for all of a colour; visible through bodies. */
class Rods {
  constructor(scene, colour, count, opacity = 1) {
    const material = new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity, depthTest: false });
    this.mesh = new THREE.InstancedMesh(unitCylinder(8), material, Math.max(count, 1));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 8;
    this.matrix = new THREE.Matrix4();
    this.turn = new THREE.Quaternion();
    this.middle = new THREE.Vector3();
    this.size = new THREE.Vector3();
    scene.add(this.mesh);
  }

  begin() {
    this.mesh.count = 0;
  }

  put(a, b, radius) {
    way.subVectors(b, a);
    const length = way.length();
    if (length < 1e-12) return;
    this.turn.setFromUnitVectors(Z, way.divideScalar(length));
    this.middle.addVectors(a, b).multiplyScalar(0.5);
    this.mesh.setMatrixAt(this.mesh.count, this.matrix.compose(this.middle, this.turn, this.size.set(radius, radius, length)));
    this.mesh.count += 1;
  }

  end(shown) {
    this.mesh.visible = shown && this.mesh.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** What a drawing shows beside its bodies: axes, lines to joints, gaps. */
class Marks {
  constructor(view, run, spots) {
    const point = (p) => new THREE.Vector3(...p);
    Object.assign(this, { view, run, mark: run.scene.mark, shown: true, a: new THREE.Vector3(), b: new THREE.Vector3(), matrix: new THREE.Matrix4() });
    this.lines = drawing.lines.map(([body, from, to]) => ({ body, from: point(from), to: point(to) }));
    this.axes = drawing.axes.map(([body, at, along]) => {
      const reach = point(along).multiplyScalar(7 * this.mark);
      return { body, from: point(at).sub(reach), to: point(at).add(reach) };
    });
    this.gaps = drawing.gaps.map((gap) => {
      const label = element("span", { class: "gap" }, `${gap.name}: gap ${short(gap.size)} m`);
      spots.append(label);
      return { ...gap, points: gap.points.map(point), label };
    });
    this.lineRods = new Rods(view.scene, ink("soft"), this.lines.length, 0.6);
    this.axisRods = new Rods(view.scene, ink("accent"), this.axes.length, 0.85);
    this.gapRods = new Rods(view.scene, WRONG, this.gaps.length);
    this.ends = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 20, 12), new THREE.MeshBasicMaterial({ color: WRONG, transparent: true, depthTest: false }), Math.max(2 * this.gaps.length, 1));
    this.ends.frustumCulled = false;
    this.ends.renderOrder = 9;
    this.ends.visible = this.gaps.length > 0;
    view.scene.add(this.ends);
  }

  /** Colours of the theme. */
  recolour() {
    this.lineRods.mesh.material.color.set(ink("soft"));
    this.axisRods.mesh.material.color.set(ink("accent"));
  }

  /** Place everything where the bodies are. */
  update() {
    const { run, a, b, mark } = this;
    for (const [rods, list, radius] of [[this.lineRods, this.lines, 0.16 * mark], [this.axisRods, this.axes, 0.2 * mark]]) {
      rods.begin();
      for (const { body, from, to } of list) rods.put(run.world(body, from, a), run.world(body, to, b), radius);
      rods.end(this.shown);
    }
    this.gapRods.begin();
    this.ends.count = 0;
    for (const { bodies, points } of this.gaps) {
      run.world(bodies[0], points[0], a);
      run.world(bodies[1], points[1], b);
      this.gapRods.put(a, b, 0.5 * mark);
      for (const p of [a, b]) {
        this.ends.setMatrixAt(this.ends.count, this.matrix.makeScale(1.3 * mark, 1.3 * mark, 1.3 * mark).setPosition(p));
        this.ends.count += 1;
      }
    }
    this.gapRods.end(true);
    this.ends.instanceMatrix.needsUpdate = true;
  }

  /** The sizes of gaps, above them; after the scene was drawn. */
  write() {
    for (const { bodies, points, label } of this.gaps) {
      const p = this.view.project(this.run.world(bodies[0], points[0], this.a), this.b);
      label.hidden = p.z > 1;
      const x = Math.max(2, Math.min(p.x + 6, this.view.width - label.offsetWidth - 4));
      label.style.transform = `translate(${x}px, ${p.y - 30}px)`;
    }
  }
}

/** Title, faults, gaps, notes and tables. */
function words() {
  byId("title").textContent = pageData.title;
  document.title = `${pageData.title} (drawing)`;
  byId("description").textContent = pageData.description;
  byId("description").hidden = !pageData.description;
  byId("facts").textContent = drawing.facts;
  const list = (id, texts) => {
    byId(id).hidden = texts.length === 0;
    byId(id).querySelector("ul").append(...texts.map((text) => element("li", {}, text)));
  };
  list("faults", drawing.faults);
  list("gaps", drawing.gaps.map((gap) => gap.words));
  list("remarks", drawing.notes);
  for (const { title, rows } of drawing.tables) {
    if (rows.length === 0) continue;
    const card = element("section", { class: "card", "aria-label": title });
    const table = element("dl");
    for (const [name, text] of rows) table.append(element("dt", {}, name), element("dd", {}, text));
    card.append(element("h2", {}, title), table);
    byId("tables").append(card);
  }
  byId("none").textContent = drawing.count === 0
    ? "Nothing can move."
    : `Motions that the joints allow at the drawing, at first order${drawing.gaps.length ? ", with every gap kept as it is" : ""}.`;
}

const runs = pageData.runs.map((run, k) => new Drawing(run, k));
const total = drawing.freedoms.length;
const clock = new Clock();
clock.load(0, PERIOD * Math.max(total, 1));
clock.speed = 1;
const chooser = byId("freedom");

/** The freedom that swings at a time of the clock, and how far; -1: none. */
function swinging(time) {
  if (chooser.value === "still" || total === 0) return [-1, 0];
  const phase = Math.sin((2 * Math.PI * time) / PERIOD);
  return [chooser.value === "turn" ? Math.min(Math.floor(time / PERIOD), total - 1) : Number(chooser.value), phase];
}

function makeView() {
  try {
    const made = new SceneView(byId("scene"), byId("canvas"));
    Object.assign(made.options, { labels: drawing.joints <= MANY_NAMES, jointnames: drawing.joints <= MANY_NAMES });
    made.load(runs);
    made.marks = new Marks(made, runs[0], byId("spots"));
    made.overlays.push(made.marks);
    made.onDraw = () => {
      made.marks.write();
      if (view) notes();
    };
    return made;
  } catch (error) {
    if (hasWebGL()) {
      console.error(error);
      report(error);
    } else {
      console.info(`no scene: ${error.message}`);
    }
    byId("nogl").textContent = hasWebGL() ? "The drawing could not be shown. Its description still is." : "This browser cannot show the drawing: WebGL is off or missing. Its description is below or beside.";
    byId("nogl").hidden = false;
    for (const id of ["canvas", "triad"]) byId(id).hidden = true;
    for (const control of document.querySelectorAll(".views button")) control.disabled = true;
    return null;
  }
}

words();
const view = makeView();
const items = drawing.freedoms.map((freedom, k) => {
  const item = element("li"), button = element("button", { type: "button" }, freedom.words);
  button.addEventListener("click", () => choose(String(k)));
  item.append(button);
  if (freedom.detail) item.append(element("div", { class: "fine" }, freedom.detail));
  byId("freedoms").append(item);
  return button;
});
chooser.append(element("option", { value: "turn" }, "each in turn"), element("option", { value: "still" }, "all still"));
drawing.freedoms.forEach((freedom, k) => chooser.append(element("option", { value: k }, `freedom ${k + 1} of ${drawing.count}: ${freedom.words}`)));

/** Let one freedom swing, each in turn, or none. */
function choose(value) {
  chooser.value = value;
  clock.end = value === "turn" ? PERIOD * Math.max(total, 1) : PERIOD;
  clock.play(value !== "still" && total > 0);
  clock.set(0);
}
chooser.addEventListener("change", () => choose(chooser.value));
byId("play").addEventListener("click", playOrStop);
function playOrStop() {
  if (chooser.value === "still") choose("turn");
  else clock.play(!clock.playing);
}

let shownFreedom = null;
clock.listeners.push((time) => {
  const [which, phase] = swinging(time);
  for (const run of runs) run.move(which, phase);
  byId("play").setAttribute("aria-label", clock.playing ? "Stop" : "Swing");
  byId("play").toggleAttribute("data-playing", clock.playing);
  if (which !== shownFreedom) {
    shownFreedom = which;
    byId("current").textContent = which < 0 ? "as drawn" : `freedom ${which + 1} of ${drawing.count}: ${drawing.freedoms[which].words}`;
    items.forEach((button, k) => (k === which ? button.setAttribute("aria-current", "true") : button.removeAttribute("aria-current")));
  }
  if (view) view.request();
});

const OPTIONS = { labels: ["labels", "jointnames"], grid: ["grid"], jointaxes: [] };
function toggle(id) {
  const on = byId(id).getAttribute("aria-pressed") !== "true";
  byId(id).setAttribute("aria-pressed", String(on));
  if (view) {
    for (const option of OPTIONS[id]) view.set(option, on);
    if (id === "jointaxes") view.marks.shown = on;
    view.request();
  }
  notes();
}
let noted = "";
function notes() {
  const grid = byId("grid").getAttribute("aria-pressed") === "true";
  const [shown, all] = view ? view.names : [0, 0], words = [];
  if (shown < all) words.push(`${shown} of ${all} names; zoom in for more`);
  if (view && grid) words.push(`grid ${short(view.floor.cell)} m`);
  if (words.join() !== noted) byId("notes").replaceChildren(...words.map((text) => element("div", {}, text)));
  noted = words.join();
}
for (const id of Object.keys(OPTIONS)) byId(id).addEventListener("click", () => toggle(id));
byId("labels").setAttribute("aria-pressed", String(drawing.joints <= MANY_NAMES));
function resetView() {
  if (!view) return;
  view.touched = false;
  view.reset();
}
byId("reset").addEventListener("click", resetView);

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
let themeChosen = false;
function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  forgetInk();
  if (view) view.recolour();
}
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
const next = (by) => {
  const k = (chooser.selectedIndex + by + chooser.options.length) % chooser.options.length;
  choose(chooser.options[k].value);
};
keyboard([
  { on: ["space", "k"], shown: "space", words: "swing, stop", act: playOrStop },
  { on: ["ArrowRight"], shown: "→", words: "next freedom", act: () => next(1) },
  { on: ["ArrowLeft"], shown: "←", words: "freedom before", act: () => next(-1) },
  { on: ["n"], shown: "n", words: "names", act: () => toggle("labels") },
  { on: ["a"], shown: "a", words: "axes and lines to joints", act: () => toggle("jointaxes") },
  { on: ["g"], shown: "g", words: "grid", act: () => toggle("grid") },
  { on: ["r"], shown: "r", words: "reset view", act: resetView },
  { on: ["d"], shown: "d", words: "light or dark", act: flipTheme },
  { on: ["?"], shown: "?", words: "show keys", act: () => keysDialog.showModal() },
]);

notes();
const lessMotion = window.matchMedia("(prefers-reduced-motion: reduce)");
choose(lessMotion.matches || total === 0 ? "still" : "turn");
lessMotion.addEventListener("change", () => lessMotion.matches && choose("still")); // asked for while the drawing is open
if (view) {
  view.resize();
  view.draw();
}
performance.mark("drawn");
document.documentElement.dataset.drawn = performance.now().toFixed(0); // ms since the page was opened

/* For scripts that control the page from outside. */
window.poinsot = { clock, runs, view, choose, drawing };
}

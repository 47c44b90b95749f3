/* The page of a drawing: nothing was run. Its freedoms swing at first order, one after the other or one alone. */

{ // names of its own, whatever other scripts use
const byId = (id) => document.getElementById(id);
const pageData = JSON.parse(byId("data").textContent);
const drawing = pageData.preview;
const PERIOD = 2.4; // s, of a swing
const WRONG = 0xd62f1f, AXIS = 0x2f6194, LINE = 0x6b7683;
const MANY = 60; // joints: with more, names are off at first

/** The drawing as a run without time: bodies are displaced along the screw of one freedom. */
class Drawing extends Run {
  constructor(data, index) {
    super(data, index);
    this.swings = decode(drawing.swings);
    this.which = -1;
    this.amount = 0;
    this.turned = new THREE.Quaternion();
    this.spin = new THREE.Vector3();
    this.across = new THREE.Vector3();
    this.shift = new THREE.Vector3();
  }

  /** Displace everything by a freedom (-1: none), relative to its amplitude. */
  move(which, amount) {
    this.which = which;
    this.amount = amount;
  }

  pose(body, place, turn) {
    super.pose(body, place, turn);
    if (body === 0 || this.which < 0 || this.amount === 0) return;
    const at = 6 * (this.which * this.bodies + body - 1), s = this.swings;
    const { shift, spin, across, turned } = this;
    shift.set(s[at], s[at + 1], s[at + 2]).multiplyScalar(this.amount);
    spin.set(s[at + 3], s[at + 4], s[at + 5]).multiplyScalar(this.amount);
    const angle = spin.length();
    place.add(shift);
    if (angle < 1e-9) return;
    across.crossVectors(spin, shift);
    place.addScaledVector(across, (1 - Math.cos(angle)) / angle ** 2);
    across.crossVectors(spin, across);
    place.addScaledVector(across, (angle - Math.sin(angle)) / angle ** 3);
    turn.premultiply(turned.setFromAxisAngle(spin.divideScalar(angle), angle));
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

/** The scene with axes, lines to joints, gaps and names of joints. */
class DrawingView extends SceneView {
  constructor(box, canvas, runs, spots) {
    super(box, canvas, runs);
    const point = (p) => new THREE.Vector3(...p);
    this.mark = runs[0].scene.mark;
    this.jointLines = drawing.lines.map(([body, a, b]) => ({ body, a: point(a), b: point(b) }));
    this.jointAxes = drawing.axes.map(([body, at, along]) => ({ body, at: point(at), along: point(along) }));
    this.openGaps = drawing.gaps.map((gap) => ({ ...gap, points: gap.points.map(point) }));
    this.markRods = {
      lines: new Rods(this.scene, LINE, this.jointLines.length, 0.6),
      axes: new Rods(this.scene, AXIS, this.jointAxes.length, 0.85),
      gaps: new Rods(this.scene, WRONG, this.openGaps.length),
    };
    this.gapEnds = new THREE.InstancedMesh(this.stock.sphere, new THREE.MeshBasicMaterial({ color: WRONG, transparent: true, depthTest: false }), Math.max(2 * this.openGaps.length, 1));
    this.gapEnds.frustumCulled = false;
    this.gapEnds.renderOrder = 9;
    this.gapEnds.count = 0;
    this.scene.add(this.gapEnds);
    const spot = (kind, body, at, words) => {
      const label = element("span", { class: kind }, words);
      spots.append(label);
      return { kind, body, at, label };
    };
    this.markSpots = [
      ...this.openGaps.map((gap) => spot("gap", gap.bodies[0], gap.points[0], `${gap.name}: gap ${short(gap.size)} m`)),
      ...drawing.joints.map(([name, body, at]) => spot("joint", body, point(at), name)),
    ];
    this.options.axes = true;
    this.hasMarks = true;
  }

  update() {
    super.update();
    if (!this.hasMarks) return;
    const world = this.worlds[0], a = new THREE.Vector3(), b = new THREE.Vector3(), { lines, axes, gaps } = this.markRods;
    for (const rods of [lines, axes, gaps]) rods.begin();
    for (const line of this.jointLines) lines.put(world(line.body, line.a, a), world(line.body, line.b, b), 0.16 * this.mark);
    const reach = 7 * this.mark, end = new THREE.Vector3();
    for (const { body, at, along } of this.jointAxes) {
      axes.put(world(body, end.copy(at).addScaledVector(along, -reach), a), world(body, end.copy(at).addScaledVector(along, reach), b), 0.2 * this.mark);
    }
    const matrix = new THREE.Matrix4();
    this.gapEnds.count = 0;
    for (const gap of this.openGaps) {
      world(gap.bodies[0], gap.points[0], a);
      world(gap.bodies[1], gap.points[1], b);
      gaps.put(a, b, 0.6 * this.mark);
      for (const p of [a, b]) {
        this.gapEnds.setMatrixAt(this.gapEnds.count, matrix.makeScale(1.5 * this.mark, 1.5 * this.mark, 1.5 * this.mark).setPosition(p));
        this.gapEnds.count += 1;
      }
    }
    this.gapEnds.visible = this.gapEnds.count > 0;
    this.gapEnds.instanceMatrix.needsUpdate = true;
    lines.end(this.options.axes);
    axes.end(this.options.axes);
    gaps.end(true);
  }

  draw() {
    super.draw();
    if (this.hasMarks) this.writeSpots();
  }

  /** Names of joints below their points, gaps above them; what would cover something written before is left out. */
  writeSpots() {
    const taken = [], p = new THREE.Vector3();
    for (const { kind, body, at, label } of this.markSpots) {
      label.hidden = kind === "joint" && !this.options.labels;
      if (label.hidden) continue;
      this.worlds[0](body, at, p).project(this.camera);
      const x = ((p.x + 1) * this.width) / 2 + 6, y = ((1 - p.y) * this.height) / 2 + (kind === "gap" ? -26 : 6);
      const box = { x, y, w: 7 * label.textContent.length + 8, h: 17 };
      label.hidden = p.z > 1 || (kind === "joint" && taken.some((o) => x < o.x + o.w && o.x < x + box.w && y < o.y + o.h && o.y < y + box.h));
      if (label.hidden) continue;
      taken.push(box);
      label.style.transform = `translate(${x}px, ${y}px)`;
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
const clock = new Clock(0, PERIOD * Math.max(total, 1));
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
    const made = new DrawingView(byId("scene"), byId("canvas"), runs, byId("spots"));
    made.controls.addEventListener("start", () => {
      made.touched = true;
    });
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

function toggle(id) {
  const on = byId(id).getAttribute("aria-pressed") !== "true";
  byId(id).setAttribute("aria-pressed", String(on));
  if (view) view.set(id, on);
  notes();
}
function notes() {
  const grid = byId("grid").getAttribute("aria-pressed") === "true";
  byId("notes").textContent = view && grid ? `grid ${short(view.cell)} m` : "";
}
for (const id of ["labels", "axes", "grid"]) byId(id).addEventListener("click", () => toggle(id));
if (view) view.options.labels = true;
if (drawing.joints.length > MANY) toggle("labels");
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
  { on: ["a"], shown: "a", words: "axes and lines to joints", act: () => toggle("axes") },
  { on: ["g"], shown: "g", words: "grid", act: () => toggle("grid") },
  { on: ["r"], shown: "r", words: "reset view", act: resetView },
  { on: ["d"], shown: "d", words: "light or dark", act: flipTheme },
  { on: ["?"], shown: "?", words: "show keys", act: () => keysDialog.showModal() },
]);

notes();
choose(window.matchMedia("(prefers-reduced-motion: reduce)").matches || total === 0 ? "still" : "turn");
if (view) {
  view.resize();
  view.draw();
}
performance.mark("drawn");
document.documentElement.dataset.drawn = performance.now().toFixed(0); // ms since the page was opened

/* For scripts that control the page from outside. */
window.poinsot = { clock, runs, view, choose, drawing };
}

/* The tools above the scene: what it shows, from where, and pictures of it. */

const TOGGLES = ["velocities", "loads", "reactions", "labels", "jointnames", "spins", "momenta", "axes", "grid"];

class Toolbar {
  /** `view` may be null: then there is no scene. */
  constructor(byId, view, clock, onPick) {
    Object.assign(this, { byId, view, onPick, trails: byId("trails"), follow: byId("follow"), runs: [] });
    for (const id of TOGGLES) byId(id).addEventListener("click", () => this.toggle(id));
    this.trails.addEventListener("change", () => this.setTrails());
    this.follow.addEventListener("change", () => this.setFollow(this.follow.value));
    byId("reset").addEventListener("click", () => this.reset());
    byId("ortho").addEventListener("click", () => this.orthographic());
    for (const name of ["front", "top", "side", "isometric"]) byId(name).addEventListener("click", () => this.standard(name));
    byId("scale").addEventListener("input", () => {
      if (this.view) this.view.set("scale", 10 ** Number(byId("scale").value));
      this.notes();
    });
    byId("picture").addEventListener("click", () => view && savePicture(view, clock));
    this.video(clock);
    for (const menu of document.querySelectorAll(".views details.menu")) {
      menu.addEventListener("click", (event) => event.target.closest("button") && (menu.open = false));
      menu.addEventListener("toggle", () => keepInside(menu.lastElementChild, menu.closest(".stage")));
    }
    document.addEventListener("pointerdown", (event) => {
      for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = false;
    });
    if (!view) return;
    view.onPick = onPick;
    view.onHover = (words, x, y) => this.hint(words, x, y);
    view.onDraw = () => this.count();
  }

  /** Offer what the runs have. */
  load(runs) {
    this.runs = runs;
    const { byId, view, follow, trails } = this, following = follow.value;
    for (const kind of ["loads", "reactions", "spins", "momenta"]) byId(kind).hidden = view ? !view.quantities.has(kind) : false;
    follow.replaceChildren(element("option", { value: "" }, "nothing"));
    runs.forEach((run, r) => run.scene.bodies.forEach((body, k) => {
      follow.append(element("option", { value: `${r} ${k + 1}` }, runs.length > 1 ? `${body.name} (${run.name})` : body.name));
    }));
    const given = runs.some((run) => run.data.trails?.length), first = this.loaded !== true;
    byId("given").hidden = byId("given").disabled = !given;
    if (first && given) trails.value = "given";
    if (!given && trails.value === "given") trails.value = "";
    this.loaded = true;
    this.setTrails();
    this.setFollow(first ? (runs[0].scene.roams ? "0 1" : "") : [...follow.options].some(({ value }) => value === following) ? following : "");
    this.poinsot = this.poinsot || new PoinsotChoice(byId("poinsot"));
    this.poinsot.load(view, runs);
    this.notes();
  }

  pressed(id) {
    return this.byId(id).getAttribute("aria-pressed") === "true";
  }

  toggle(id) {
    const button = this.byId(id);
    if (button.hidden) return;
    button.setAttribute("aria-pressed", String(!this.pressed(id)));
    if (this.view) this.view.set(id, this.pressed(id));
    this.notes();
  }

  setTrails() {
    if (this.view) this.view.setTrails(this.trails.value);
  }

  setFollow(value) {
    this.follow.value = value;
    const [run, body] = value.split(" ").map(Number);
    if (this.view && (value || this.view.following)) this.view.follow(value ? { run, body } : null);
  }

  reset() {
    if (!this.view) return;
    this.view.touched = false;
    this.view.reset();
  }

  standard(name) {
    if (!this.view) return;
    this.view.touched = true;
    this.view.reset(name);
  }

  orthographic() {
    const button = this.byId("ortho");
    button.setAttribute("aria-pressed", String(!this.pressed("ortho")));
    if (this.view) this.view.setOrthographic(this.pressed("ortho"));
  }

  /** Scales of the arrows, and the cell size of the grid. */
  notes() {
    if (!this.view) return;
    const words = [], { scales } = this.view.quantities;
    const about = (x) => short(Number(x.toPrecision(2)));
    if (this.pressed("velocities")) words.push(`velocities up to about ${about(scales.velocities[0])} m/s`);
    if (this.pressed("spins")) words.push(`angular velocities up to about ${about(scales.spins[0])} rad/s`);
    if (this.pressed("momenta")) words.push(`angular momenta up to about ${about(scales.momenta[0])} kg m²/s`);
    if (this.pressed("loads")) {
      const [force, torque] = scales.loads;
      words.push(`loads up to about ${[force ? `${about(force)} N` : "", torque ? `${about(torque)} N m (arcs)` : ""].filter(Boolean).join(", ")}`);
    }
    if (this.pressed("reactions")) words.push(`reactions up to about ${about(scales.reactions[0])} N`);
    const crowded = this.runs.find((run) => run.data.arrowsLeftOut);
    if (crowded && (this.pressed("loads") || this.pressed("reactions"))) words.push(`arrows of the first ${crowded.arrows.length} loads and reactions only`);
    if (this.pressed("grid")) words.push(`grid ${short(this.view.floor.cell)} m`);
    this.byId("notes").replaceChildren(...words.map((text) => element("div", {}, text)), this.byId("named"));
  }

  /** How many names found no room. */
  count() {
    const [shown, all] = this.view.names, words = shown < all ? `${shown} of ${all} names; zoom in for more` : "";
    if (this.byId("named").textContent !== words) this.byId("named").textContent = words;
  }

  /** Words beside the pointer. */
  hint(words, x, y) {
    const box = this.byId("hint");
    box.hidden = !words;
    if (!words) return;
    box.textContent = words;
    const left = Math.min(x + 14, this.view.width - box.offsetWidth - 4), top = y + 18 + box.offsetHeight > this.view.height ? y - box.offsetHeight - 8 : y + 16;
    box.style.transform = `translate(${Math.max(left, 4)}px, ${top}px)`;
  }

  /** The button that records a video and stops that. */
  video(clock) {
    const button = this.byId("video"), why = noVideo();
    this.recorder = new Recorder(clock, (on, blob) => {
      button.textContent = on ? "Stop recording" : "Video (WebM)";
      this.byId("recording").hidden = !on;
      this.recorded = blob ? blob.size : null;
    });
    if (why) {
      button.disabled = true;
      button.title = why;
      this.byId("novideo").textContent = why;
    }
    const act = () => (this.recorder.active ? this.recorder.stop() : this.view && this.recorder.start(this.view));
    button.addEventListener("click", act);
    this.byId("stoprecording").addEventListener("click", () => this.recorder.stop());
  }
}

/** Move what a menu shows to the left as far as needed for it to end before the right edge of a box. */
function keepInside(shown, box) {
  shown.style.transform = "";
  const over = shown.getBoundingClientRect().right - box.getBoundingClientRect().right + 6;
  if (over > 0) shown.style.transform = `translateX(${-over}px)`;
}

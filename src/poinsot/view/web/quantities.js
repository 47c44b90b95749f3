/* What arrows show: velocities, angular velocities and angular momenta of bodies, their axes, loads, reactions. */

const WORDS = {
  velocities: "velocity", spins: "angular velocity", momenta: "angular momentum about the centre of mass", loads: "load", reactions: "reaction on the second body",
};
const AXIS_LENGTH = 0.4; // of a body axis, relative to an arrow at its reference value

class Quantities {
  constructor(scene, runs, size) {
    Object.assign(this, { scene, runs, size, on: {}, factor: 1, made: {} });
    const largest = (lists) => lists.reduce((most, values) => Math.max(most, reference(values)), 0);
    const values = (kind, turns) => runs.flatMap((run) => run.arrows.filter((a) => a.kind === kind && a.turns === turns).map((a) => a.values));
    this.scales = { // reference values of straight arrows and of arcs
      velocities: [largest(runs.map((run) => run.speeds)), 0],
      spins: [largest(runs.filter((run) => run.spins).map((run) => run.spins)), 0],
      momenta: [0, 0],
      loads: [largest(values("load", false)), largest(values("load", true))],
      reactions: [largest(values("reaction", false)), 0],
    };
    for (const run of runs) {
      run.coms = run.scene.bodies.map((body) => new THREE.Vector3(...body.com));
      for (const arrow of run.arrows) {
        arrow.point = new THREE.Vector3(...arrow.at);
        if (arrow.backAt) arrow.backPoint = new THREE.Vector3(...arrow.backAt);
        arrow.unit = arrow.turns ? "N m" : "N";
      }
    }
  }

  /** Whether the page has something to show of a kind. */
  has(kind) {
    if (kind === "axes" || kind === "velocities") return true;
    if (kind === "spins" || kind === "momenta") return this.runs.some((run) => run.spins) && this.scales.spins[0] > 0;
    return this.scales[kind].some((value) => value > 0);
  }

  set(kind, on) {
    this.on[kind] = on;
    if (!on || this.made[kind]) return;
    const sum = (f) => this.runs.reduce((n, run) => n + f(run), 0), bodies = sum((run) => run.bodies);
    const make = (colour, count) => new Arrows(this.scene, colour, count, this.size);
    this.made[kind] = {
      velocities: () => [make(0x2f9e6e, bodies)],
      spins: () => [make(0xc2418b, bodies)],
      momenta: () => [make(0x2b8fb3, bodies)],
      axes: () => AXES.map(([, light]) => make(new THREE.Color(light), bodies)),
      loads: () => [make(0xc9622f, 2 * sum((run) => run.arrows.filter((a) => a.kind === "load").length))],
      reactions: () => [make(0x8655b5, 2 * sum((run) => run.arrows.filter((a) => a.kind === "reaction").length))],
    }[kind]();
    if (kind === "momenta") this.scales.momenta[0] = this.largestMomentum();
  }

  largestMomentum() {
    const all = [], out = new THREE.Vector3();
    for (const run of this.runs.filter(({ spins }) => spins)) {
      const { frame, part } = run;
      const stride = Math.max(1, Math.floor((run.t.length * run.bodies) / 4000));
      for (let k = 0; k < run.t.length; k += stride) {
        Object.assign(run, { frame: k, part: 0 });
        if (run.t.length > 1 && k === run.t.length - 1) Object.assign(run, { frame: k - 1, part: 1 });
        run.place();
        for (let b = 0; b < run.bodies; b += 1) all.push(...this.momentum(run, b, out).toArray());
      }
      Object.assign(run, { frame, part });
      run.place();
    }
    return reference(Float32Array.from(all));
  }

  /** Angular momentum of a body (index without the ground) about its centre of mass, world axes, kg m²/s. */
  momentum(run, b, out) {
    run.vector(run.spins, b, run.bodies, out);
    const { x, y, z } = run.unturned(b + 1, out, out), [xx, yy, zz, xy, xz, yz] = run.scene.bodies[b].inertia;
    return run.turned(b + 1, out.set(xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z), out);
  }

  /** Draw all that is switched on. */
  update() {
    for (const [kind, list] of Object.entries(this.made)) {
      for (const arrows of list) {
        arrows.factor = this.factor;
        arrows.begin();
      }
      if (this.on[kind]) for (const run of this.runs) if (run.visible) this.draw(kind, run, list);
      for (const arrows of list) arrows.end();
    }
  }

  draw(kind, run, list) {
    const place = arrowPlace, value = arrowValue, scale = (this.scales[kind] || [1])[0] || 1;
    if (kind === "loads" || kind === "reactions") {
      for (const arrow of run.arrows) if (`${arrow.kind}s` === kind) this.effort(run, arrow, kind, list[0]);
      return;
    }
    if ((kind === "spins" || kind === "momenta") && !run.spins) return;
    for (let b = 0; b < run.bodies; b += 1) {
      run.world(b + 1, run.coms[b], place);
      if (kind === "axes") {
        for (let k = 0; k < 3; k += 1) list[k].draw(run.world(b + 1, ORIGIN, place), run.turned(b + 1, UNITS[k], value), AXIS_LENGTH, false);
        continue;
      }
      if (kind === "velocities") run.vector(run.speeds, b, run.bodies, value);
      else if (kind === "spins") run.vector(run.spins, b, run.bodies, value);
      else this.momentum(run, b, value);
      const size = value.length();
      list[0].draw(place, value, size / scale, false, kind !== "velocities");
      list[0].tell(run.scene.bodies[b], size, run.between);
    }
  }

  effort(run, arrow, kind, arrows) {
    const value = run.vector(arrow.values, 0, 1, arrowValue), size = value.length();
    const relative = size / (this.scales[kind][arrow.turns ? 1 : 0] || 1);
    arrows.draw(run.world(arrow.body, arrow.point, arrowPlace), value, relative, arrow.turns);
    arrows.tell(arrow, size, run.between);
    if (arrow.backBody === undefined) return;
    arrows.draw(run.world(arrow.backBody, arrow.backPoint, arrowPlace), value.negate(), relative, arrow.turns);
    arrows.tell(arrow, size, run.between);
  }

  /** Words about the arrow nearest to a point of the screen (pixels), if one is near; `onScreen(v, out)` projects. */
  wordsAt(x, y, onScreen) {
    let best = 9, words = "";
    for (const [kind, list] of Object.entries(this.made)) {
      if (!this.on[kind] || kind === "axes") continue;
      for (const { tips, drawn } of list) {
        for (let k = 0; k < drawn; k += 1) {
          const tip = tips[k], a = onScreen(tip.from, endA), b = onScreen(tip.to, endB);
          const away = toSegment(x, y, a.x, a.y, b.x, b.y);
          if (!(away < best) || !tip.words) continue;
          best = away;
          words = `${tip.words.name}: ${tip.about ? "≈ " : ""}${short(tip.value)} ${pretty(tip.words.unit || UNIT_OF[kind])}, ${WORDS[kind]}`;
        }
      }
    }
    return words;
  }

  dispose() {
    for (const list of Object.values(this.made)) for (const arrows of list) arrows.dispose();
  }
}

const UNIT_OF = { velocities: "m/s", spins: "rad/s", momenta: "kg m^2/s" };
const arrowPlace = new THREE.Vector3(), arrowValue = new THREE.Vector3(), ORIGIN = new THREE.Vector3();
const UNITS = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((v) => new THREE.Vector3(...v));

/** Distance of a point from a segment, in a plane. */
function toSegment(x, y, ax, ay, bx, by) {
  const dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
  const f = length > 0 ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1) : 0;
  return Math.hypot(x - ax - f * dx, y - ay - f * dy);
}

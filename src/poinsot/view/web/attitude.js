/* Poinsot's construction for one body: its inertia ellipsoid, the plane it rolls on, polhode and herpolhode up to the current time. */

const ELLIPSOID = 0x6f93c9, PLANE = 0xd9a35b;
const CURVE_INKS = ["polhode", "herpolhode"]; // colours of the style sheet
const POSES = 24; // of the plane, that the view must contain
const LARGEST = 0.45, SMALLEST = 0.05; // of the ellipsoid, relative to the size of the scene
const STILL = 1e-10; // of the largest energy: below it no plane is defined

class PoinsotOverlay {
  /** `entry` has the principal moments and axes of a body. */
  constructor(view, run, entry) {
    Object.assign(this, { view, run, entry, body: entry.body, now: null });
    this.moments = new THREE.Vector3(...entry.moments);
    const [w, x, y, z] = entry.turn;
    this.principal = new THREE.Quaternion(x, y, z, w);
    this.com = new THREE.Vector3(...run.scene.bodies[entry.body - 1].com);
    this.reach = Math.min(Math.max(entry.reach, SMALLEST * view.size), LARGEST * view.size);
    this.scale = this.reach * Math.sqrt(entry.moments[0]); // from 1/sqrt(kg m^2) to m
    this.trace();
    this.build();
  }

  /** Angular momentum, world axes, and twice the energy. */
  momentum(omega, turn, out) {
    const both = turn.clone().multiply(this.principal);
    out.copy(omega).applyQuaternion(both.clone().invert()).multiply(this.moments).applyQuaternion(both);
    return out.dot(omega);
  }

  /** The contact at all frames, in body axes and in world axes, from the centre, m. */
  trace() {
    const { run, body } = this, q = new THREE.Quaternion(), w = new THREE.Vector3(), l = new THREE.Vector3();
    const twice = [], turns = [], size = 7 * run.bodies;
    for (let k = 0; k < run.t.length; k += 1) {
      const p = run.poses.subarray(k * size + 7 * (body - 1), k * size + 7 * body);
      turns.push(q.set(p[4], p[5], p[6], p[3]).normalize().clone());
      twice.push(this.momentum(w.fromArray(run.spins, 3 * (k * run.bodies + body - 1)), q, l));
    }
    this.least = STILL * Math.max(...twice);
    const world = [];
    twice.forEach((energy, k) => {
      w.fromArray(run.spins, 3 * (k * run.bodies + body - 1)).multiplyScalar(this.scale / Math.sqrt(Math.max(energy, this.least)));
      world.push(energy > this.least || k === 0 ? w.clone() : world[k - 1].clone());
    });
    this.herpolhode = world;
    this.polhode = world.map((p, k) => p.clone().applyQuaternion(turns[k].clone().invert()));
  }

  build() {
    const clear = (colour, opacity) => new THREE.MeshLambertMaterial({ color: colour, transparent: true, opacity, depthWrite: false, side: 2 });
    [this.polhodeInk, this.herpolhodeInk] = CURVE_INKS.map(() => new THREE.MeshBasicMaterial());
    this.recolour();
    const thin = 0.012 * this.reach;
    this.group = new THREE.Group(); // at the centre of mass, along the world
    this.turned = new THREE.Group(); // at the centre of mass, along the body
    const solid = new THREE.Mesh(new THREE.SphereGeometry(1, 48, 32), clear(ELLIPSOID, 0.32));
    solid.scale.set(...this.entry.moments.map((m) => this.scale / Math.sqrt(m)));
    solid.quaternion.copy(this.principal);
    this.first = new THREE.Mesh(thinTube(this.polhode, thin), this.polhodeInk);
    this.second = new THREE.Mesh(thinTube(this.herpolhode, thin), this.herpolhodeInk);
    const across = Math.max(...this.herpolhode.map((p) => p.length()));
    this.wide = 1.15 * Math.max(across, 0.7 * this.reach);
    this.plane = new THREE.Mesh(new THREE.PlaneGeometry(2 * this.wide, 2 * this.wide), clear(PLANE, 0.3));
    this.spot = new THREE.Mesh(new THREE.SphereGeometry(2.6 * thin, 16, 12), this.herpolhodeInk);
    this.turned.add(solid, this.first);
    this.group.add(this.turned, this.plane, this.second, this.spot);
    for (const mesh of [solid, this.plane]) mesh.renderOrder = 5;
    for (const mesh of [this.first, this.second]) mesh.frustumCulled = false;
    this.view.scene.add(this.group);
  }

  /** Place everything at the current time of the run. */
  update() {
    const { run } = this, omega = new THREE.Vector3(), l = new THREE.Vector3(), place = new THREE.Vector3();
    run.pose(this.body, place, this.turned.quaternion);
    this.group.position.copy(this.com).applyQuaternion(this.turned.quaternion).add(place);
    run.vector(run.spins, this.body - 1, run.bodies, omega);
    const twice = this.momentum(omega, this.turned.quaternion, l);
    this.group.visible = run.visible;
    this.plane.visible = this.spot.visible = twice > this.least;
    if (this.plane.visible) {
      const distance = (this.scale * Math.sqrt(twice)) / l.length(), normal = l.normalize();
      this.plane.quaternion.setFromUnitVectors(Z, normal);
      this.plane.position.copy(normal).multiplyScalar(distance);
      this.spot.position.copy(omega).multiplyScalar(this.scale / Math.sqrt(twice));
      this.now = { normal: normal.toArray(), distance: distance / this.scale, contact: this.spot.position.clone().divideScalar(this.scale).toArray() };
    }
    const frames = run.frame + (run.part > 0.5 ? 1 : 0);
    for (const mesh of [this.first, this.second]) {
      mesh.visible = frames > 0;
      mesh.geometry.setDrawRange(0, frames * 6 * SIDES);
    }
  }

  /** Colours of the theme. */
  recolour() {
    this.polhodeInk.color.set(ink("polhode"));
    this.herpolhodeInk.color.set(ink("herpolhode"));
  }

  /** Points that the view must contain: of ellipsoid and plane, at some times of the run. */
  hull() {
    const { run, wide, reach } = this, { frame, part } = run, found = [], last = run.t.length - 1;
    for (let k = 0; k <= Math.min(last, POSES); k += 1) {
      const at = last > POSES ? Math.round((k * last) / POSES) : k;
      Object.assign(run, last > 0 && at === last ? { frame: at - 1, part: 1 } : { frame: at, part: 0 });
      this.update();
      for (const axis of [0, 1, 2]) for (const side of [-reach, reach]) found.push(new THREE.Vector3().setComponent(axis, side).add(this.group.position));
      if (!this.plane.visible) continue;
      for (const [x, y] of [[-wide, -wide], [-wide, wide], [wide, -wide], [wide, wide]]) {
        found.push(new THREE.Vector3(x, y, 0).applyQuaternion(this.plane.quaternion).add(this.plane.position).add(this.group.position));
      }
    }
    Object.assign(run, { frame, part });
    this.update();
    return found;
  }

  dispose() {
    this.group.removeFromParent();
    this.group.traverse((mesh) => {
      mesh.geometry?.dispose();
      mesh.material?.dispose();
    });
  }
}

/** The choice of a body whose construction is shown; offered for runs that have angular velocities. What is shown already is shown of new runs. */
class PoinsotChoice {
  constructor(select) {
    Object.assign(this, { select, view: null, entries: [] });
    select.addEventListener("change", () => this.show());
  }

  load(view, runs) {
    const chosen = this.select.selectedOptions[0]?.textContent;
    this.view = view;
    this.entries = view ? runs.flatMap((run) => (run.spins && run.data.ellipsoids || []).map((entry) => ({ run, entry }))) : [];
    const names = this.entries.map(({ run, entry }) => run.scene.bodies[entry.body - 1].name + (runs.length > 1 ? ` (${run.name})` : ""));
    this.select.replaceChildren(element("option", { value: "" }, "off"), ...names.map((name, k) => element("option", { value: String(k) }, name)));
    this.select.parentElement.hidden = names.length === 0;
    this.select.value = names.includes(chosen) ? String(names.indexOf(chosen)) : "";
    if (view) this.show();
  }

  show() {
    const { view, entries, select } = this;
    const before = view.overlays.length;
    view.overlays = view.overlays.filter((overlay) => !(overlay instanceof PoinsotOverlay && (overlay.dispose(), true)));
    if (select.value) view.overlays.push(new PoinsotOverlay(view, entries[Number(select.value)].run, entries[Number(select.value)].entry));
    if (!view.touched && (before || select.value)) view.reset();
    view.request();
  }
}

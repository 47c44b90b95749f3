/* The bodies, joints and ties of one run, drawn as instances. */

const ONE = new THREE.Vector3(1, 1, 1), UNTURNED = new THREE.Quaternion();

class Model {
  /** `look`: {several, up, iron, edge, stock, edges, picked}. Several runs are tinted, and all but the first are transparent. */
  constructor(run, look, parent) {
    Object.assign(this, { run, look, all: new THREE.Group(), colours: [], batches: new Map(), spans: new Map() });
    const clear = look.several && run.index > 0;
    const behind = clear ? { transparent: true, opacity: 0.5, polygonOffset: true, polygonOffsetFactor: run.index, polygonOffsetUnits: 4 * run.index } : {}; // where runs coincide the first is visible
    this.own = new THREE.MeshLambertMaterial(behind);
    const tint = TINTS[run.index % TINTS.length];
    this.iron = clear ? new THREE.MeshLambertMaterial({ color: tint, ...behind }) : look.iron;
    run.seek(run.start);
    run.place();
    run.scene.bodies.forEach((body, k) => {
      this.colours.push(look.several ? tint : SOLIDS[k % SOLIDS.length]);
      for (const solid of body.parts) this.solid(k + 1, solid, look.several || !solid.colour ? this.colours[k] : solid.colour);
    });
    for (const joint of run.scene.joints) addJoint(joint, this);
    const mark = run.scene.mark;
    for (const tie of run.scene.ties) {
      if (tie.spring) this.span(`coil ${mark}`, () => coilOf(look.stock, mark)).add(tie.bodies, tie.points, 1, false);
      else this.span("bar", () => look.stock.cylinder).add(tie.bodies, tie.points, 0.45 * mark, true);
    }
    for (const part of [...this.batches.values(), ...this.spans.values()]) part.finish(this.all);
    parent.add(this.all);
  }

  /** The instances of a geometry in a material. */
  batch(geometry, material, options) {
    const key = `${geometry.uuid} ${material.uuid}`;
    if (!this.batches.has(key)) this.batches.set(key, new Instances(geometry, material, options));
    return this.batches.get(key);
  }

  span(key, geometry) {
    if (!this.spans.has(key)) this.spans.set(key, new Spans(geometry(), this.iron));
    return this.spans.get(key);
  }

  /** A mark of a joint on a body. */
  mark(geometry, body, place, turn, scale) {
    this.batch(geometry, this.iron, {}).add(body, place, turn, scale);
  }

  /** One solid of a body; edges give boxes and cylinders a crisp outline. */
  solid(body, solid, colour) {
    const { stock, edge, edges } = this.look;
    const place = solid.at ? new THREE.Vector3(...solid.at) : new THREE.Vector3();
    const turn = solid.turn ? new THREE.Quaternion(solid.turn[1], solid.turn[2], solid.turn[3], solid.turn[0]) : UNTURNED;
    const [geometry, scale, outline] = solidShape(solid, stock, this.run.scene.meshes);
    this.batch(geometry, this.own, { shadow: true, coloured: true }).add(body, place, turn, scale, new THREE.Color(colour));
    if (!edges) return;
    if (outline) this.batch(outline, edge, { lines: true }).add(body, place, turn, scale);
    if (solid.kind === "cylinder" && solid.length < solid.radius) this.batch(stock.diameters, edge, { lines: true }).add(body, place, turn, scale);
  }

  /** Number of drawn copies of all kinds. */
  get count() {
    return [...this.batches.values(), ...this.spans.values()].reduce((sum, { list }) => sum + list.length, 0);
  }

  /** Highlight a body, or none (0). */
  pick(body) {
    for (const batch of this.batches.values()) {
      if (this.picked) batch.tint(this.picked, null);
      if (body) batch.tint(body, this.look.picked);
    }
    this.picked = body;
  }

  /** Place everything at the current time of the run, with or without the marks of joints; with `sight`, marks in the picture only. */
  update(marked = true, sight = null) {
    this.all.visible = this.run.visible;
    this.run.place();
    if (!this.run.visible) return;
    for (const batch of this.batches.values()) {
      batch.object.visible = marked || batch.material !== this.iron;
      if (batch.object.visible) batch.update(this.run.places, batch.coloured ? null : sight); // colours belong to places in the list
    }
    for (const span of this.spans.values()) span.update(this.run);
  }

  dispose() {
    for (const part of [...this.batches.values(), ...this.spans.values()]) part.dispose();
    this.all.removeFromParent();
  }
}

/** Geometry, scale and outline of a solid. */
function solidShape(solid, stock, meshes) {
  if (solid.kind === "box") return [stock.box, new THREE.Vector3(...solid.size), stock.boxEdges];
  if (solid.kind === "cylinder") return [stock.cylinder, new THREE.Vector3(solid.radius, solid.radius, solid.length), stock.rim];
  if (solid.kind === "mesh") return [stock.mesh(meshes[solid.mesh]), ONE, null];
  return [stock.sphere, new THREE.Vector3(solid.radius, solid.radius, solid.radius), null];
}

/** A spring of unit length, with the size of the marks. */
function coilOf(stock, mark) {
  return coilGeometry(stock.helix(12).map((p) => new THREE.Vector3(2 * mark * p.x, 2 * mark * p.y, p.z)), 0.35 * mark);
}

/* The scene: bodies of all runs, light, floor, camera. It is redrawn only when something has changed. */

const FIELD = 30; // of view, degrees

class SceneView {
  /** May throw when there is no WebGL. */
  constructor(box, canvas, runs) {
    Object.assign(this, { box, canvas, runs, drawn: 0, pending: false, options: { grid: true }, following: null });
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.stock = new Stock();
    this.measure();
    this.camera = new THREE.PerspectiveCamera(FIELD, 1, 0.01 * this.size, 200 * this.size);
    this.camera.up.copy(this.up);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.request());
    this.controls.minDistance = 0.05 * this.size;
    this.controls.maxDistance = 60 * this.size;
    this.light();
    this.iron = new THREE.MeshLambertMaterial();
    this.edge = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.28 });
    this.models = runs.map((run) => this.model(run));
    this.worlds = this.models.map((model) => model.world);
    this.floor();
    this.trails = [];
    this.names = new Names(document.getElementById("names"), runs);
    this.triad = document.getElementById("triad");
    canvas.addEventListener("webglcontextrestored", () => this.request());
    this.recolour();
    new ResizeObserver(() => this.resize()).observe(box);
    this.resize();
    this.reset();
  }

  /** Show other data of the same runs at a time; the view stays. What was shown is disposed of last, so that no shader is compiled again. */
  renew(trails, time) {
    const before = [...this.scene.children];
    this.scene.clear();
    document.getElementById("names").replaceChildren();
    this.remeasure();
    this.light();
    this.models = this.runs.map((run) => this.model(run));
    this.worlds = this.models.map((model) => model.world);
    for (const run of this.runs) run.seek(time); // models are placed at the start of their run
    this.floor();
    this.ground.visible = this.options.grid;
    this.names = new Names(document.getElementById("names"), this.runs);
    const arrows = Boolean(this.kinds);
    this.kinds = null;
    if (arrows) this.makeArrows();
    this.trails = [];
    this.setTrails(trails);
    this.recolour();
    this.draw();
    this.discard(before);
  }

  /** The bounding box of new data, or the present one where they fill enough of it: then grid and shadows stay as they are. */
  remeasure() {
    const { low, high, centre, size } = this;
    this.measure();
    const inside = ["x", "y", "z"].every((k) => this.low[k] >= low[k] - 1e-6 * size && this.high[k] <= high[k] + 1e-6 * size);
    if (inside && this.size > 0.4 * size) Object.assign(this, { low, high, centre, size });
    Object.assign(this.camera, { near: 0.01 * this.size, far: 200 * this.size });
    this.camera.updateProjectionMatrix();
    Object.assign(this.controls, { minDistance: 0.05 * this.size, maxDistance: 60 * this.size });
  }

  /** Free what objects hold on the graphics card, except what others share. */
  discard(objects) {
    const shared = new Set([...Object.values(this.stock), ...this.stock.meshes.values(), this.iron, this.edge]);
    for (const object of objects) {
      object.traverse((part) => {
        for (const held of [part.geometry, part.material]) if (held && !shared.has(held)) held.dispose();
        if (part.isLight || part.isInstancedMesh) part.dispose();
      });
    }
  }

  /** The bounding box of all runs, and the direction of view. */
  measure() {
    const first = this.runs[0].scene;
    this.low = new THREE.Vector3(Infinity, Infinity, Infinity);
    this.high = this.low.clone().negate();
    for (const { scene } of this.runs) {
      this.low.min(new THREE.Vector3(...scene.low));
      this.high.max(new THREE.Vector3(...scene.high));
    }
    this.centre = this.low.clone().add(this.high).multiplyScalar(0.5);
    this.size = this.high.distanceTo(this.low) || 1;
    this.up = new THREE.Vector3(...first.up);
    this.look = new THREE.Vector3(...first.look).normalize();
    this.flat = first.flat;
  }

  light() {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x9aa2ad, 1.75));
    const fill = new THREE.DirectionalLight(0xffffff, 0.75);
    fill.position.copy(this.look).addScaledVector(this.up, 0.2);
    this.scene.add(fill);
    const sun = new THREE.DirectionalLight(0xffffff, 1.4);
    const side = new THREE.Vector3().crossVectors(this.up, this.look);
    const from = this.up.clone().multiplyScalar(this.flat ? 0.7 : 1.5).addScaledVector(this.look, this.flat ? 1.4 : 0.7).addScaledVector(side, -0.6);
    this.sunward = from.multiplyScalar(1.5 * this.size);
    this.sun = sun;
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    const half = 0.75 * this.size;
    Object.assign(sun.shadow.camera, { left: -half, right: half, top: half, bottom: -half, near: 0.1 * this.size, far: 6 * this.size });
    sun.shadow.radius = 3;
    sun.shadow.normalBias = 0.003 * this.size;
    sun.shadow.intensity = 0.75;
    this.scene.add(sun, sun.target);
  }

  /** Bodies, joints and ties of one run. Several runs are tinted, and all but the first are transparent. */
  model(run) {
    const several = this.runs.length > 1;
    const clear = several && run.index > 0;
    const behind = { transparent: true, opacity: 0.5, polygonOffset: true, polygonOffsetFactor: run.index, polygonOffsetUnits: 4 * run.index }; // where runs coincide the first is visible
    const groups = [new THREE.Group()], all = new THREE.Group();
    const colours = [];
    run.scene.bodies.forEach((body, k) => {
      const colour = several ? TINTS[run.index % TINTS.length] : SOLIDS[k % SOLIDS.length];
      const material = new THREE.MeshLambertMaterial({ color: colour, ...(clear ? behind : {}) });
      const group = new THREE.Group();
      for (const solid of body.parts) {
        const own = solid.colour && !several ? new THREE.MeshLambertMaterial({ color: solid.colour }) : material;
        group.add(solidMesh(solid, own, this.edge, this.stock, run.scene.meshes));
      }
      groups.push(group);
      colours.push(colour);
    });
    run.seek(run.start);
    groups.forEach((group, b) => {
      run.pose(b, group.position, group.quaternion);
      group.userData.drawn = group.quaternion.clone();
      all.add(group);
    });
    const iron = clear ? new THREE.MeshLambertMaterial({ color: TINTS[run.index % TINTS.length], ...behind }) : this.iron;
    const mark = run.scene.mark;
    const moving = run.scene.joints.flatMap((joint) => addJoint(joint, groups, this.up, mark, iron, this.stock));
    for (const tie of run.scene.ties) {
      moving.push(tie.spring
        ? new Coil(tie.bodies, tie.points, 2 * mark, 0.35 * mark, iron, this.stock, 12)
        : new Bar(tie.bodies, tie.points, 0.45 * mark, iron, this.stock));
    }
    for (const item of moving) all.add(item.mesh);
    this.scene.add(all);
    const world = (body, point, out) => out.copy(point).applyQuaternion(groups[body].quaternion).add(groups[body].position);
    return { run, groups, all, moving, world, colours };
  }

  /** A grid where wheels roll, below the motion, or behind a planar motion, with a plane that receives shadows. */
  floor() {
    const normal = this.flat ? this.look : this.up;
    const depths = [];
    for (const x of [this.low.x, this.high.x]) for (const y of [this.low.y, this.high.y]) for (const z of [this.low.z, this.high.z]) depths.push(new THREE.Vector3(x, y, z).dot(normal));
    const ground = this.flat ? [] : this.runs.map(({ scene }) => scene.floor).filter((height) => height !== null);
    const depth = ground.length ? Math.min(...ground) : Math.min(...depths) - 0.02 * this.size;
    const right = new THREE.Vector3().crossVectors(this.flat ? this.up : alongAxis(this.look, this.up), normal).normalize();
    const ahead = new THREE.Vector3().crossVectors(normal, right);
    const cell = niceStep(this.size / 9), count = 16;
    Object.assign(this, { cell, plane: { right, ahead } });
    const middle = [right, ahead].map((v) => Math.round(this.centre.dot(v) / cell) * cell);
    const at = (i, j) => [...new THREE.Vector3().addScaledVector(right, middle[0] + i * cell).addScaledVector(ahead, middle[1] + j * cell).addScaledVector(normal, depth)];
    const points = [], colours = [];
    const line = (i, j, k, l) => { // white, and more transparent further out
      points.push(...at(i, j), ...at(k, l));
      for (const r of [Math.hypot(i, j), Math.hypot(k, l)]) colours.push(1, 1, 1, Math.max(0, 1 - (r / count) ** 2));
    };
    for (let i = -count; i <= count; i += 1) for (let j = -count; j < count; j += 1) {
      if (Math.hypot(i, j + 0.5) > count) continue;
      line(i, j, i, j + 1);
      line(j, i, j + 1, i);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(colours), 4));
    this.gridMaterial = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.85, vertexColors: true });
    const plane = new THREE.Mesh(new THREE.PlaneGeometry(2 * count * cell, 2 * count * cell), new THREE.ShadowMaterial({ opacity: 0.16 }));
    plane.position.set(...at(0, 0)).addScaledVector(normal, -0.002 * this.size);
    plane.quaternion.setFromUnitVectors(Z, normal);
    plane.receiveShadow = true;
    this.ground = new THREE.Group();
    this.ground.add(new THREE.LineSegments(geometry, this.gridMaterial), plane);
    this.scene.add(this.ground);
  }

  /** Arrows of three kinds, and their reference values; created on first use. */
  makeArrows() {
    if (this.kinds) return;
    const runs = this.runs, sum = (f) => runs.reduce((n, run) => n + f(run), 0);
    const of = (kind) => sum((run) => run.arrows.filter((a) => a.kind === kind).length);
    this.kinds = {
      velocities: new Arrows(this.scene, 0x2f9e6e, sum((run) => run.bodies), this.size),
      loads: new Arrows(this.scene, 0xc9622f, 2 * of("load"), this.size),
      reactions: new Arrows(this.scene, 0x8655b5, 2 * of("reaction"), this.size),
    };
    const largest = (lists) => lists.reduce((most, values) => Math.max(most, reference(values)), 0);
    const values = (kind, turns) => runs.flatMap((run) => run.arrows.filter((a) => a.kind === kind && a.turns === turns).map((a) => a.values));
    this.scales = {
      velocities: [largest(runs.map((run) => run.speeds)), 0],
      loads: [largest(values("load", false)), largest(values("load", true))],
      reactions: [largest(values("reaction", false)), 0],
    };
  }

  /** Show trails of tips, of centres of mass, or none. With many bodies, only free ends and points with a prescribed path have one. */
  setTrails(which) {
    for (const trail of this.trails) this.scene.remove(trail.mesh);
    this.trails = [];
    if (which) {
      for (const { run, colours } of this.models) {
        const bodies = run.scene.bodies.map((body, k) => ({ body, k }));
        const free = bodies.filter(({ body }) => body.led || body.tip.some((x, i) => x !== body.com[i]));
        for (const { body, k } of which === "tip" && free.length ? free : bodies) {
          this.trails.push(new Trail(this.scene, run, k + 1, which === "tip" ? body.tip : body.com, colours[k], 0.0016 * this.size));
        }
      }
    }
    this.request();
  }

  set(option, value) {
    this.options[option] = value;
    if (value && ["velocities", "loads", "reactions"].includes(option)) this.makeArrows();
    this.ground.visible = this.options.grid;
    this.request();
  }

  /** Follow a body of a run: the camera moves with its centre of mass. Null: nothing. */
  follow(target) {
    if (this.following && !target) {  // back to the view of everything
      const back = this.centre.clone().sub(this.controls.target);
      this.camera.position.add(back);
      this.controls.target.add(back);
    }
    this.following = target;
    this.last = target ? this.followed(new THREE.Vector3()) : null;
    if (target) this.controls.target.copy(this.last);
    this.controls.update();
    this.request();
  }

  followed(out) {
    const { run, body } = this.following;
    return this.worlds[run](body, new THREE.Vector3(...this.runs[run].scene.bodies[body - 1].com), out);
  }

  /** Place everything at the current time of the runs. */
  update() {
    for (const { run, groups, all, moving, world } of this.models) {
      all.visible = run.visible;
      for (let b = 1; b < groups.length; b += 1) run.pose(b, groups[b].position, groups[b].quaternion);
      for (const item of moving) item.update(world);
    }
    for (const trail of this.trails) trail.update();
    this.updateArrows();
    if (this.following) {
      const now = this.followed(new THREE.Vector3());
      const moved = now.clone().sub(this.last);
      this.camera.position.add(moved);
      this.controls.target.add(moved);
      this.last = now;
    }
    this.carryGround();
  }

  /** The grid and the light move with a following camera, by whole cells. */
  carryGround() {
    const { right, ahead } = this.plane;
    const away = this.following ? this.last.clone().sub(this.centre) : new THREE.Vector3();
    this.ground.position.set(0, 0, 0);
    for (const side of [right, ahead]) this.ground.position.addScaledVector(side, Math.round(away.dot(side) / this.cell) * this.cell);
    this.sun.target.position.copy(this.centre).add(this.ground.position);
    this.sun.position.copy(this.sun.target.position).add(this.sunward);
  }

  updateArrows() {
    if (!this.kinds) return;
    const { velocities, loads, reactions } = this.kinds;
    const place = new THREE.Vector3(), value = new THREE.Vector3(), at = new THREE.Vector3();
    for (const kind of [velocities, loads, reactions]) kind.begin();
    for (const { run, world } of this.models.filter((model) => model.run.visible)) {
      if (this.options.velocities) {
        for (let b = 0; b < run.bodies; b += 1) {
          run.vector(run.speeds, b, run.bodies, value);
          velocities.draw(world(b + 1, at.set(...run.scene.bodies[b].com), place), value, value.length() / this.scales.velocities[0], false);
        }
      }
      for (const arrow of run.arrows) {
        const name = arrow.kind === "load" ? "loads" : "reactions";
        if (!this.options[name]) continue;
        run.vector(arrow.values, 0, 1, value);
        const relative = value.length() / (this.scales[name][arrow.turns ? 1 : 0] || 1);
        this.kinds[name].draw(world(arrow.body, at.set(...arrow.at), place), value, relative, arrow.turns);
        if (arrow.backBody !== undefined) this.kinds[name].draw(world(arrow.backBody, at.set(...arrow.backAt), place), value.negate(), relative, arrow.turns);
      }
    }
    for (const kind of [velocities, loads, reactions]) kind.end();
  }

  /** Request a redraw; several requests give one. */
  request() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      if (this.pending) this.draw();
    });
  }

  draw() {
    this.pending = false;
    this.update();
    this.renderer.render(this.scene, this.camera);
    this.names.update(this.camera, this.width, this.height, this.worlds, this.options.labels);
    drawTriad(this.triad, this.camera);
    this.drawn += 1;
  }

  resize() {
    this.width = Math.max(this.box.clientWidth, 1);
    this.height = Math.max(this.box.clientHeight, 1);
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.setSize(this.width, this.height, false);
    this.camera.aspect = this.width / this.height;
    this.camera.updateProjectionMatrix();
    if (!this.touched) this.reset();
    this.request();
  }

  /** The initial view: the whole motion, along the preferred direction of the system. */
  reset() {
    const tall = Math.tan((0.5 * FIELD * Math.PI) / 180) * 0.88, wide = tall * this.camera.aspect;
    const right = new THREE.Vector3().crossVectors(this.up, this.look).normalize();
    const over = new THREE.Vector3().crossVectors(this.look, right);
    const target = this.centre.clone();
    const points = this.runs.flatMap((run) => run.scene.hull.map((p) => new THREE.Vector3(...p)));
    let distance = 0;
    for (let pass = 0; pass < 6; pass += 1) { // as close as all points allow, then shifted to equal margins on both sides
      const seen = points.map((p) => p.clone().sub(target)).map((c) => [c.dot(right), c.dot(over), c.dot(this.look)]);
      distance = Math.max(0.1 * this.size, ...seen.map(([x, y, z]) => Math.max(Math.abs(x) / wide, Math.abs(y) / tall) + z));
      for (const [k, side] of [[0, right], [1, over]]) {
        const angles = seen.map((c) => c[k] / (distance - c[2]));
        target.addScaledVector(side, 0.5 * (Math.max(...angles) + Math.min(...angles)) * distance);
      }
    }
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(this.look, distance);
    if (this.following) {
      this.last = this.followed(new THREE.Vector3());
      this.camera.position.add(this.last).sub(target);
      this.controls.target.copy(this.last);
    }
    this.controls.update();
    this.request();
  }

  /** Colours of the theme for everything without its own colour. */
  recolour() {
    this.iron.color.set(ink("iron"));
    this.edge.color.set(isDark() ? 0x000000 : 0x1e2530);
    this.gridMaterial.color.set(ink("grid"));
    this.request();
  }
}

/** The world axis nearest to a direction, as perpendicular to `up` as possible: grids are aligned with axes. */
function alongAxis(direction, up) {
  const level = direction.clone().addScaledVector(up, -direction.dot(up));
  const size = [Math.abs(level.x), Math.abs(level.y), Math.abs(level.z)];
  const k = size.indexOf(Math.max(...size));
  const axis = new THREE.Vector3().setComponent(k, 1);
  axis.addScaledVector(up, -axis.dot(up));
  return axis.lengthSq() > 1e-6 ? axis.normalize() : level.normalize();
}

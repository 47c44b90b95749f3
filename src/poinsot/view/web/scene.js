/* The scene: bodies of all runs, light, floor, camera, overlays. It is redrawn only when something has changed. */

const MANY = 300; // bodies: with more, solids are coarse and have neither edges nor shadows
const SPECK = 3; // pixels: with many bodies, joints that look smaller are not marked
const DRAG = 4; // pixels: a pointer that moves less has clicked

class SceneView {
  /** May throw when there is no WebGL. Call `load` with runs next. */
  constructor(box, canvas) {
    Object.assign(this, { box, canvas, drawn: 0, pending: false, options: { grid: true }, following: null, picked: null, overlays: [], trails: [] });
    Object.assign(this, { onPick: () => {}, onHover: () => {}, onDraw: () => {}, names: [0, 0] });
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.sight = new THREE.Matrix4();
    this.cameras = new Cameras(canvas, () => this.request());
    this.controls = this.cameras.controls;
    this.iron = new THREE.MeshLambertMaterial();
    this.edge = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.28 });
    this.lights = new THREE.Group();
    this.scene.add(this.lights);
    this.triad = document.getElementById("triad");
    this.onScreen = Object.assign((v, out) => this.project(v, out), { pixels: (u, v) => [((u + 1) * this.width) / 2, ((1 - v) * this.height) / 2] });
    canvas.addEventListener("webglcontextrestored", () => this.request());
    this.pointer();
    new ResizeObserver(() => this.resize()).observe(box);
  }

  get camera() {
    return this.cameras.active;
  }

  /** Show runs, in place of those that are shown; a view that the user has turned stays as it is. */
  load(runs) {
    for (const part of [...(this.models || []), this.floor, this.quantities, this.stock]) part?.dispose();
    this.runs = runs;
    this.measure();
    this.cameras.load(this);
    this.light();
    this.many = runs.reduce((n, run) => n + run.bodies, 0) > MANY;
    this.stock = new Stock(this.many);
    const look = {
      several: runs.length > 1, up: this.up, iron: this.iron, edge: this.edge, stock: this.stock, edges: !this.many, picked: new THREE.Color(0xffc53d),
    };
    this.renderer.shadowMap.enabled = this.sun.castShadow = !this.many;
    this.models = runs.map((run) => new Model(run, look, this.scene));
    this.floor = new Floor(runs, this, this.scene);
    this.quantities = new Quantities(this.scene, runs, this.size);
    for (const [kind, on] of Object.entries(this.options)) if (WORDS[kind] || kind === "axes") this.quantities.set(kind, on);
    this.quantities.factor = this.options.scale || 1;
    this.labels = new Labels(document.getElementById("names"), runs);
    this.bodies = new BodyPicker(this.models);
    this.setTrails(this.trailsOf || "");
    this.pick(null);
    this.recolour();
    this.resize();
    if (!this.touched) this.reset();
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
    this.lights.clear();
    const fill = new THREE.DirectionalLight(0xffffff, 0.75);
    fill.position.copy(this.look).addScaledVector(this.up, 0.2);
    const sun = new THREE.DirectionalLight(0xffffff, 1.4);
    const side = new THREE.Vector3().crossVectors(this.up, this.look);
    const from = this.up.clone().multiplyScalar(this.flat ? 0.7 : 1.5).addScaledVector(this.look, this.flat ? 1.4 : 0.7).addScaledVector(side, -0.6);
    this.sunward = from.multiplyScalar(1.5 * this.size);
    this.sun?.shadow.dispose();
    this.sun = sun;
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    const half = 0.75 * this.size;
    Object.assign(sun.shadow.camera, { left: -half, right: half, top: half, bottom: -half, near: 0.1 * this.size, far: 6 * this.size });
    sun.shadow.radius = 3;
    sun.shadow.normalBias = 0.003 * this.size;
    sun.shadow.intensity = 0.75;
    this.lights.add(new THREE.HemisphereLight(0xffffff, 0x9aa2ad, 1.75), fill, sun, sun.target);
  }

  /** Show trails: of given points, of tips, of centres of mass, or none. With many bodies, only free ends and points with a prescribed path have one. */
  setTrails(which) {
    for (const trail of this.trails) trail.dispose();
    this.trails = [];
    this.trailsOf = which;
    const add = (run, body, point, colour) => this.trails.push(new Trail(this.scene, run, body, point, colour, 0.0016 * this.size));
    for (const { run, colours } of this.models) {
      if (which === "given") (run.data.trails || []).forEach(({ body, point }, k) => add(run, body, point, this.runs.length > 1 ? colours[0] : CURVES[(k + 3) % CURVES.length]));
      if (which !== "tip" && which !== "com") continue;
      const bodies = run.scene.bodies.map((body, k) => ({ body, k }));
      const free = bodies.filter(({ body }) => body.led || body.tip.some((x, i) => x !== body.com[i]));
      for (const { body, k } of which === "tip" && free.length ? free : bodies) add(run, k + 1, which === "tip" ? body.tip : body.com, colours[k]);
    }
    this.request();
  }

  /** Switch an option of the picture: grid, labels, jointnames, or a kind of arrows. */
  set(option, value) {
    this.options[option] = value;
    if (WORDS[option] || option === "axes") this.quantities.set(option, value);
    if (option === "scale") this.quantities.factor = value;
    this.floor.ground.visible = this.options.grid;
    this.request();
  }

  /** Select a body {run, body}, or null. */
  pick(target) {
    this.picked = target;
    for (const model of this.models) model.pick(target && target.run === model.run.index ? target.body : 0);
    this.request();
  }

  /** Follow a body of a run: the camera moves with its centre of mass. Null: nothing. */
  follow(target) {
    if (this.following && !target) { // back to the view of everything
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
    return this.runs[run].world(body, out.fromArray(this.runs[run].scene.bodies[body - 1].com), out);
  }

  /** Place everything at the current time of the runs. */
  update() {
    const seen = this.camera.isOrthographicCamera ? this.cameras.tall / this.camera.zoom : HALF * this.camera.position.distanceTo(this.controls.target);
    this.camera.updateMatrixWorld();
    const sight = this.many && !this.following ? this.sight.multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse).elements : null;
    for (const model of this.models) model.update(!this.many || (model.run.scene.mark * this.height) / seen > SPECK, sight);
    for (const trail of this.trails) trail.update();
    this.quantities.update();
    for (const overlay of this.overlays) overlay.update(this);
    let away = null;
    if (this.following) {
      this.followed(followedNow);
      away = followedMove.subVectors(followedNow, this.last);
      this.camera.position.add(away);
      this.controls.target.add(away);
      this.last.copy(followedNow);
      away.subVectors(this.last, this.centre);
    }
    this.sun.target.position.copy(this.centre).add(this.floor.carry(away));
    this.sun.position.copy(this.sun.target.position).add(this.sunward);
  }

  /** Request a redraw; several requests give one. */
  request() {
    if (this.pending || !this.models) return;
    this.pending = true;
    requestAnimationFrame(() => {
      if (this.pending) this.draw();
    });
  }

  draw() {
    this.pending = false;
    this.update();
    this.renderer.render(this.scene, this.camera);
    this.names = this.labels.update(this.camera, this.width, this.height, this.options, this.picked);
    drawTriad(this.triad, this.camera);
    this.drawn += 1;
    this.onDraw();
  }

  resize() {
    this.width = Math.max(this.box.clientWidth, 1);
    this.height = Math.max(this.box.clientHeight, 1);
    const ratio = Math.min(window.devicePixelRatio || 1, 2), { canvas } = this;
    if (this.renderer.getPixelRatio() !== ratio || canvas.width !== Math.floor(this.width * ratio) || canvas.height !== Math.floor(this.height * ratio)) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(this.width, this.height, false);
    }
    this.cameras.resize(this.width / this.height);
    if (!this.models) return;
    if (!this.touched) this.reset();
    this.request();
  }

  /** The initial view: the whole motion, along the preferred direction of the system; or from a standard direction. */
  reset(name = "") {
    const look = name ? standardViews(this.up)[name] : this.look;
    const points = this.runs.flatMap((run) => run.scene.hull.map((p) => new THREE.Vector3(...p))).concat(this.overlays.flatMap((overlay) => overlay.hull?.() || []));
    const target = this.cameras.fit(points, this.centre, this.size, look, this.up);
    if (this.following) {
      this.last = this.followed(new THREE.Vector3());
      this.camera.position.add(this.last).sub(target);
      this.controls.target.copy(this.last);
    }
    this.controls.update();
    this.request();
  }

  setOrthographic(on) {
    this.cameras.setOrthographic(on);
    this.request();
  }

  /** Position of a world point on the screen, pixels. */
  project(v, out) {
    out.copy(v).project(this.camera);
    return out.set(((out.x + 1) * this.width) / 2, ((1 - out.y) * this.height) / 2, out.z);
  }

  /** Clicks pick bodies; a pointer at rest asks what is below it. */
  pointer() {
    let down = null;
    const place = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const bodyAt = ([x, y]) => this.bodies.at((2 * x) / this.width - 1, 1 - (2 * y) / this.height, this.camera, this.onScreen);
    this.canvas.addEventListener("pointerdown", (event) => {
      down = event.button === 0 ? place(event) : null;
      this.onHover("");
    });
    this.canvas.addEventListener("pointerup", (event) => {
      const at = place(event);
      if (down && this.models && Math.hypot(at[0] - down[0], at[1] - down[1]) < DRAG) this.onPick(bodyAt(at));
      down = null;
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons) this.touched = true;
      if (event.buttons || !this.models) return;
      const at = place(event), found = this.quantities.wordsAt(...at, this.onScreen);
      const body = found ? null : bodyAt(at);
      this.onHover(found || (body ? this.runs[body.run].scene.bodies[body.body - 1].name : ""), ...at);
    });
    this.canvas.addEventListener("wheel", () => {
      this.touched = true;
    }, { passive: true });
    this.canvas.addEventListener("pointerleave", () => this.onHover(""));
  }

  /** Colours of the theme for everything without its own colour. */
  recolour() {
    if (!this.models) return;
    this.iron.color.set(ink("iron"));
    this.edge.color.set(isDark() ? 0x000000 : 0x1e2530);
    this.floor.gridMaterial.color.set(ink("grid"));
    for (const overlay of this.overlays) overlay.recolour?.();
    this.request();
  }
}

const followedNow = new THREE.Vector3(), followedMove = new THREE.Vector3();

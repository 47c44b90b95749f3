/* The camera: perspective or orthographic, standard directions, fitted to the motion. */

const FIELD = 30; // of view, degrees
const HALF = Math.tan((0.5 * FIELD * Math.PI) / 180);

class Cameras {
  constructor(canvas, onChange) {
    this.perspective = new THREE.PerspectiveCamera(FIELD, 1, 0.01, 100);
    this.orthographic = new THREE.OrthographicCamera(-1, 1, 1, -1, -10, 10);
    this.active = this.perspective;
    this.controls = new THREE.OrbitControls(this.active, canvas);
    this.controls.addEventListener("change", onChange);
    this.aspect = 1;
    this.tall = 1; // half the height of the orthographic picture at zoom 1, m
  }

  /** Sizes for a scene: {size, up}. */
  load({ size, up }) {
    Object.assign(this.perspective, { near: 0.01 * size, far: 200 * size });
    Object.assign(this.orthographic, { near: -60 * size, far: 60 * size });
    for (const camera of [this.perspective, this.orthographic]) camera.up.copy(up);
    Object.assign(this.controls, { minDistance: 0.05 * size, maxDistance: 60 * size, minZoom: 0.02, maxZoom: 50 });
    this.controls.object = this.active;
    this.controls._quat?.setFromUnitVectors(up, Y); // controls compute these once, for the first direction upward
    this.controls._quatInverse?.copy(this.controls._quat).invert();
    this.apply();
  }

  /** The shape of the picture: width over height. */
  resize(aspect) {
    this.aspect = aspect;
    this.apply();
  }

  apply() {
    this.perspective.aspect = this.aspect;
    Object.assign(this.orthographic, { left: -this.tall * this.aspect, right: this.tall * this.aspect, top: this.tall, bottom: -this.tall });
    this.perspective.updateProjectionMatrix();
    this.orthographic.updateProjectionMatrix();
  }

  get isOrthographic() {
    return this.active === this.orthographic;
  }

  /** Change the projection; what is at the target keeps its size. */
  setOrthographic(on) {
    if (on === this.isOrthographic) return;
    const from = this.active, { target } = this.controls;
    const away = from.position.clone().sub(target), distance = away.length() || 1;
    this.active = on ? this.orthographic : this.perspective;
    this.active.position.copy(from.position);
    if (on) {
      this.tall = HALF * distance;
      this.orthographic.zoom = 1;
    } else {
      this.active.position.copy(target).addScaledVector(away, this.tall / (this.orthographic.zoom * HALF * distance));
    }
    this.apply();
    this.controls.object = this.active;
    this.controls.update();
  }

  /** Look from a direction so that all points (Vector3) are in the picture; the target is returned. */
  fit(points, centre, size, look, up) {
    const tall = HALF * 0.88, wide = tall * this.aspect;
    const right = new THREE.Vector3().crossVectors(up, look);
    if (right.lengthSq() < 1e-12) right.set(1, 0, 0);
    right.normalize();
    const over = new THREE.Vector3().crossVectors(look, right), target = centre.clone();
    const flat = this.isOrthographic;
    let distance = 0;
    for (let pass = 0; pass < 6; pass += 1) { // as close as all points allow, then shifted to equal margins on both sides
      const seen = points.map((p) => p.clone().sub(target)).map((c) => [c.dot(right), c.dot(over), flat ? 0 : c.dot(look)]);
      distance = Math.max(0.1 * size, ...seen.map(([x, y, z]) => Math.max(Math.abs(x) / wide, Math.abs(y) / tall) + z));
      for (const [k, side] of [[0, right], [1, over]]) {
        const angles = seen.map((c) => c[k] / (distance - c[2]));
        target.addScaledVector(side, 0.5 * (Math.max(...angles) + Math.min(...angles)) * distance);
      }
    }
    this.controls.target.copy(target);
    this.active.position.copy(target).addScaledVector(look, distance);
    if (flat) {
      this.tall = HALF * distance;
      this.orthographic.zoom = 1;
      this.apply();
    }
    return target;
  }
}

/** Directions from the centre to the camera, by name, with "up" given: x to the right in the front view where that is possible. */
function standardViews(up) {
  const x = Math.abs(up.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
  const front = new THREE.Vector3().crossVectors(x, up).normalize();
  const side = new THREE.Vector3().crossVectors(up, front);
  const top = up.clone().addScaledVector(front, 1e-4).normalize(); // not exactly along it, so that the front stays below
  const isometric = front.clone().add(side).add(up).normalize();
  return { front, side, top, isometric };
}

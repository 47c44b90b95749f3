/* Arrows: straight for forces, velocities and axes, arcs for torques. Drawn on top of bodies. */

const LENGTH = 0.2; // of an arrow at its reference value, relative to the size of the scene
const ARC = 1.5 * Math.PI; // of a torque's arrow, rad

/** A value that only a few exceed (97th percentile). */
function reference(values) {
  const sizes = [];
  const stride = Math.max(1, Math.floor(values.length / 3 / 4000));
  for (let k = 0; k + 2 < values.length; k += 3 * stride) sizes.push(Math.hypot(values[k], values[k + 1], values[k + 2]));
  sizes.sort((a, b) => a - b);
  return sizes.length ? Math.max(sizes[Math.floor(0.97 * (sizes.length - 1))], 1e-9 * sizes[sizes.length - 1]) : 0;
}

/** Arrows of one colour for all runs: shafts and heads are instances of one mesh each. */
class Arrows {
  constructor(scene, colour, count, size) {
    Object.assign(this, { size, factor: 1, drawn: 0, tips: Array.from({ length: Math.max(count, 1) }, () => ({ from: new THREE.Vector3(), to: new THREE.Vector3(), words: null })) });
    const material = new THREE.MeshLambertMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.25, transparent: true, depthTest: false }); // visible through bodies
    const shaft = unitCylinder(12).translate(0, 0, 0.5);
    const head = new THREE.ConeGeometry(1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = new THREE.InstancedMesh(shaft, material, Math.max(count, 1));
    this.heads = new THREE.InstancedMesh(head, material, Math.max(2 * count, 1));
    this.arcs = new THREE.InstancedMesh(new THREE.TorusGeometry(1, 0.075, 8, 40, ARC), material, Math.max(count, 1));
    this.meshes = [this.shafts, this.heads, this.arcs];
    for (const mesh of this.meshes) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 10; // after the bodies: on top of them
      scene.add(mesh);
    }
    this.matrix = new THREE.Matrix4();
    this.turn = new THREE.Quaternion();
    this.scale = new THREE.Vector3();
    this.place = new THREE.Vector3();
    this.direction = new THREE.Vector3();
    this.begin();
  }

  begin() {
    this.drawn = 0;
    for (const mesh of this.meshes) mesh.count = 0;
  }

  /** Draw a torque as an arc around its axis, with a radius that grows with it. */
  arc(place, vector, relative) {
    const radius = 0.35 * LENGTH * this.factor * this.size * Math.min(relative, 2.5);
    if (radius < 0.0015 * this.size) return;
    this.note(place, this.direction.copy(vector).normalize(), 0);
    this.turn.setFromUnitVectors(Z, this.direction.copy(vector).normalize());
    this.put(this.arcs, place, radius, radius, radius);
    this.place.set(radius * Math.cos(ARC), radius * Math.sin(ARC), 0).applyQuaternion(this.turn).add(place);
    this.direction.set(-Math.sin(ARC), Math.cos(ARC), 0).applyQuaternion(this.turn);
    this.turn.setFromUnitVectors(Z, this.direction);
    this.put(this.heads, this.place, 0.24 * radius, 0.24 * radius, 0.5 * radius);
  }

  /** Remember where an arrow is, for the pointer; `words` are set by the caller. */
  note(place, direction, length) {
    const tip = this.tips[this.drawn];
    tip.from.copy(place);
    tip.to.copy(place).addScaledVector(direction, length);
    tip.words = null;
    this.drawn += 1;
  }

  /** What the arrow drawn last says when the pointer is on it: a source with a name, a value and a unit; `about`: whether it lies between outputs that were left out. */
  tell(source, value, about) {
    if (this.drawn === 0) return;
    const tip = this.tips[this.drawn - 1];
    if (tip.words === null) Object.assign(tip, { words: source, value, about });
  }

  /** Draw a force or velocity at a point, with a length relative to the reference; `bend`: as an arc, `double`: with two heads. */
  draw(place, vector, relative, bend, double = false) {
    if (bend) {
      this.arc(place, vector, relative);
      return;
    }
    const length = LENGTH * this.factor * this.size * Math.min(relative, 2.5);
    const thick = 0.0038 * this.size;
    const long = Math.min(5 * thick, 0.45 * length);
    if (length < 0.3 * thick) return;
    this.direction.copy(vector).normalize();
    this.note(place, this.direction, length);
    this.turn.setFromUnitVectors(Z, this.direction);
    const bold = Math.min(1, length / (8 * thick));
    this.put(this.shafts, place, thick * bold, thick * bold, length - long);
    this.put(this.heads, this.place.copy(place).addScaledVector(this.direction, length - long), 2.6 * thick * bold, 2.6 * thick * bold, long);
    if (double) this.put(this.heads, this.place.copy(place).addScaledVector(this.direction, length - 1.7 * long), 2.6 * thick * bold, 2.6 * thick * bold, long);
  }

  put(mesh, place, x, y, z) {
    this.matrix.compose(place, this.turn, this.scale.set(x, y, z));
    mesh.setMatrixAt(mesh.count, this.matrix);
    mesh.count += 1;
  }

  end() {
    for (const mesh of this.meshes) {
      mesh.visible = mesh.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  dispose() {
    for (const mesh of this.meshes) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
      mesh.dispose();
    }
  }
}

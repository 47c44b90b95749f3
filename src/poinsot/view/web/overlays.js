/* Optional overlays: arrows, trails, names, and the axis triad in the corner. */

const LENGTH = 0.2; // of an arrow at its reference value, relative to the size of the scene
const TRAIL = 500; // frames of a trail
const SIDES = 4; // of the tube of a trail
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
    this.size = size;
    const material = new THREE.MeshLambertMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.25, transparent: true, depthTest: false }); // visible through bodies
    const shaft = unitCylinder(12).translate(0, 0, 0.5);
    const head = new THREE.ConeGeometry(1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = new THREE.InstancedMesh(shaft, material, Math.max(count, 1));
    this.heads = new THREE.InstancedMesh(head, material, Math.max(count, 1));
    this.arcs = new THREE.InstancedMesh(new THREE.TorusGeometry(1, 0.075, 8, 40, ARC), material, Math.max(count, 1));
    this.meshes = [this.shafts, this.heads, this.arcs];
    for (const mesh of this.meshes) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 10;
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
    for (const mesh of this.meshes) mesh.count = 0;
  }

  /** Draw a torque as an arc around its axis, with a radius that grows with it. */
  arc(place, vector, relative) {
    const radius = 0.35 * LENGTH * this.size * Math.min(relative, 2.5);
    if (radius < 0.0015 * this.size) return;
    this.turn.setFromUnitVectors(Z, this.direction.copy(vector).normalize());
    this.put(this.arcs, place, radius, radius, radius);
    this.place.set(radius * Math.cos(ARC), radius * Math.sin(ARC), 0).applyQuaternion(this.turn).add(place);
    this.direction.set(-Math.sin(ARC), Math.cos(ARC), 0).applyQuaternion(this.turn);
    this.turn.setFromUnitVectors(Z, this.direction);
    this.put(this.heads, this.place, 0.24 * radius, 0.24 * radius, 0.5 * radius);
  }

  /** Draw a force or velocity at a point, with a length relative to the reference. */
  draw(place, vector, relative, turns) {
    if (turns) {
      this.arc(place, vector, relative);
      return;
    }
    const length = LENGTH * this.size * Math.min(relative, 2.5);
    const thick = 0.0038 * this.size;
    const long = Math.min(5 * thick, 0.45 * length);
    if (length < 0.3 * thick) return;
    this.direction.copy(vector).normalize();
    this.turn.setFromUnitVectors(Z, this.direction);
    const bold = Math.min(1, length / (8 * thick));
    this.put(this.shafts, place, thick * bold, thick * bold, length - long);
    this.put(this.heads, this.place.copy(place).addScaledVector(this.direction, length - long), 2.6 * thick * bold, 2.6 * thick * bold, long);
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
}

/** The path of one point of a body up to the current time: a thin tube through all frames, of which a part is drawn. */
class Trail {
  constructor(scene, run, body, point, colour, radius) {
    this.run = run;
    const path = pathOf(run, body, new THREE.Vector3(...point));
    this.mesh = new THREE.Mesh(thinTube(path, radius), new THREE.MeshBasicMaterial({ color: colour }));
    this.mesh.frustumCulled = false;
    scene.add(this.mesh);
  }

  update() {
    const now = this.run.frame + (this.run.part > 0.5 ? 1 : 0);
    const first = Math.max(0, now - TRAIL);
    this.mesh.visible = this.run.visible && now > first;
    this.mesh.geometry.setDrawRange(first * 6 * SIDES, (now - first) * 6 * SIDES);
  }
}

/** Position of a point of a body at every frame. */
function pathOf(run, body, at) {
  const q = new THREE.Quaternion(), size = 7 * run.bodies;
  return Array.from(run.t, (_, k) => {
    const p = run.poses.subarray(k * size + 7 * (body - 1), k * size + 7 * body);
    return at.clone().applyQuaternion(q.set(p[4], p[5], p[6], p[3])).add(way.set(p[0], p[1], p[2]));
  });
}

/** A tube with few sides through points; 6 * SIDES indices per segment. */
function thinTube(points, radius) {
  const positions = new Float32Array(3 * SIDES * points.length), index = [];
  const along = new THREE.Vector3(0, 0, 1), side = new THREE.Vector3(1, 0, 0), other = new THREE.Vector3(), p = new THREE.Vector3();
  points.forEach((point, k) => {
    p.subVectors(points[Math.min(k + 1, points.length - 1)], points[Math.max(k - 1, 0)]);
    if (p.lengthSq() > 0) along.copy(p).normalize();
    side.addScaledVector(along, -side.dot(along)); // transported along, so that the tube does not twist
    if (side.lengthSq() < 1e-6) side.set(along.y, along.z, along.x).cross(along);
    other.crossVectors(along, side.normalize());
    for (let i = 0; i < SIDES; i += 1) {
      const angle = (2 * Math.PI * i) / SIDES;
      p.copy(point).addScaledVector(side, radius * Math.cos(angle)).addScaledVector(other, radius * Math.sin(angle));
      p.toArray(positions, 3 * (SIDES * k + i));
      const a = SIDES * k + i, b = SIDES * k + ((i + 1) % SIDES);
      if (k + 1 < points.length) index.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
    }
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.setIndex(index);
  return geometry;
}

/** Names of bodies at their centres of mass: plain text over the scene. */
class Names {
  constructor(box, runs) {
    this.entries = [];
    for (const run of runs) {
      run.scene.bodies.forEach((body, k) => {
        const label = element("span", {}, body.name);
        box.append(label);
        this.entries.push({ run, body: k + 1, at: new THREE.Vector3(...body.com), label });
      });
    }
  }

  update(camera, width, height, worlds, shown) {
    for (const { run, body, at, label } of this.entries) {
      label.hidden = !shown || !run.visible;
      if (label.hidden) continue;
      const p = worlds[run.index](body, at, endA).project(camera);
      label.hidden = p.z > 1;
      label.style.transform = `translate(${((p.x + 1) * width) / 2 + 8}px, ${((1 - p.y) * height) / 2 - 9}px)`;
    }
  }
}

const AXES = [["x", "#c0504d", "#e5837f", [1, 0, 0]], ["y", "#4f8f4f", "#84c584", [0, 1, 0]], ["z", "#3f74b5", "#86b3e6", [0, 0, 1]]];

/** The directions of the world axes in the view of the camera. */
function drawTriad(canvas, camera) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2), size = 72;
  if (canvas.width !== size * ratio) canvas.width = canvas.height = size * ratio;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, size, size);
  pen.font = "600 11px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineWidth = 2;
  const inverse = camera.quaternion.clone().invert();
  const seen = AXES.map(([name, light, dark, v]) => ({ name, colour: isDark() ? dark : light, v: new THREE.Vector3(...v).applyQuaternion(inverse) }));
  seen.sort((a, b) => a.v.z - b.v.z);
  for (const { name, colour, v } of seen) {
    const x = 36 + 22 * v.x, y = 36 - 22 * v.y;
    pen.strokeStyle = pen.fillStyle = colour;
    pen.globalAlpha = v.z < -0.5 ? 0.6 : 1;
    if (Math.hypot(v.x, v.y) < 0.12) {
      pen.beginPath();
      pen.arc(36, 36, 2.5, 0, 7);
      pen.fill();
      continue;
    }
    pen.beginPath();
    pen.moveTo(36, 36);
    pen.lineTo(x, y);
    pen.stroke();
    pen.fillText(name, 36 + 30 * v.x, 36 - 30 * v.y);
  }
  pen.globalAlpha = 1;
}

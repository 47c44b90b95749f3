/* Trails: paths of points of bodies up to the current time. */

const TRAIL = 500; // frames of a trail
const SIDES = 4; // of the tube of a trail

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

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
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


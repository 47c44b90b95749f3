/* The floor: a grid where wheels roll, below the motion, or behind a planar motion, with a plane that receives shadows. */

class Floor {
  /** `room`: {low, high, centre, size, up, look, flat, many}. */
  constructor(runs, room, scene) {
    const { low, high, centre, size, up, look, flat, many } = room;
    Object.assign(this, { runs, low, high, centre, size, up, look, flat });
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
    plane.visible = !many;
    this.ground = new THREE.Group();
    this.ground.add(new THREE.LineSegments(geometry, this.gridMaterial), plane);
    scene.add(this.ground);
  }

  /** Move with a following camera, by whole cells; returns by how much. */
  carry(away) {
    this.ground.position.set(0, 0, 0);
    const { right, ahead } = this.plane;
    if (away) for (const side of [right, ahead]) this.ground.position.addScaledVector(side, Math.round(away.dot(side) / this.cell) * this.cell);
    return this.ground.position;
  }

  dispose() {
    this.ground.removeFromParent();
    for (const part of this.ground.children) part.geometry.dispose();
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

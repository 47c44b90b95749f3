/* Which body is at a point of the screen: the solid that its ray meets first, or the nearest one within a few pixels. */

const REACH = 10; // pixels

class BodyPicker {
  constructor(models) {
    this.models = models;
    this.origin = new THREE.Vector3();
    this.ray = new THREE.Vector3();
  }

  /** {run, body} at a point given in normalised coordinates of the picture; null: none. `onScreen` projects to pixels. */
  at(u, v, camera, onScreen) {
    this.origin.set(u, v, -1).unproject(camera);
    this.ray.set(u, v, 1).unproject(camera).sub(this.origin).normalize();
    let best = Infinity, found = null;
    for (const { run } of this.models) {
      if (!run.visible) continue;
      run.scene.bodies.forEach((body, k) => {
        for (const solid of body.parts) {
          const away = this.meets(run, k + 1, solid);
          if (away < best) [best, found] = [away, { run: run.index, body: k + 1 }];
        }
      });
    }
    return found || this.near(u, v, onScreen);
  }

  /** Distance along the ray to a solid of a body; infinite when it misses. */
  meets(run, body, solid) {
    const o = 12 * body, m = run.places;
    const from = run.unturned(body, endA.set(this.origin.x - m[o + 9], this.origin.y - m[o + 10], this.origin.z - m[o + 11]), endA);
    const along = run.unturned(body, this.ray, endB);
    if (solid.at) from.sub(way.set(...solid.at));
    if (solid.turn) {
      pickTurn.set(-solid.turn[1], -solid.turn[2], -solid.turn[3], solid.turn[0]);
      from.applyQuaternion(pickTurn);
      along.applyQuaternion(pickTurn);
    }
    if (solid.kind === "box") return meetsBox(from, along, solid.size);
    if (solid.kind === "cylinder") return meetsCylinder(from, along, solid.radius, 0.5 * solid.length);
    if (solid.kind === "mesh") {
      const { low, size } = run.scene.meshes[solid.mesh]; // its box
      from.sub(way.set(low[0] + 0.5 * size[0], low[1] + 0.5 * size[1], low[2] + 0.5 * size[2]));
      return meetsBox(from, along, size);
    }
    const b = from.dot(along), c = from.lengthSq() - solid.radius ** 2, root = b * b - c;
    return root < 0 ? Infinity : -b - Math.sqrt(root);
  }

  /** The body with a solid whose middle line is nearest on the screen. */
  near(u, v, onScreen) {
    const [x, y] = onScreen.pixels(u, v);
    let best = REACH, found = null;
    for (const { run } of this.models) {
      if (!run.visible) continue;
      run.scene.bodies.forEach((body, k) => {
        for (const solid of body.parts) {
          const [a, b] = middleLine(solid).map((p, i) => onScreen(run.world(k + 1, p, i ? endB : endA), i ? endB : endA));
          const away = toSegment(x, y, a.x, a.y, b.x, b.y);
          if (away < best) [best, found] = [away, { run: run.index, body: k + 1 }];
        }
      });
    }
    return found;
  }
}

const pickTurn = new THREE.Quaternion();

/** Both ends of the longest line through the middle of a solid, in the frame of its body. */
function middleLine(solid) {
  const half = new THREE.Vector3();
  if (solid.kind === "cylinder") half.z = 0.5 * solid.length;
  if (solid.kind === "box") {
    const k = solid.size.indexOf(Math.max(...solid.size));
    half.setComponent(k, 0.5 * solid.size[k]);
  }
  if (solid.turn) half.applyQuaternion(new THREE.Quaternion(solid.turn[1], solid.turn[2], solid.turn[3], solid.turn[0]));
  const at = new THREE.Vector3(...(solid.at || [0, 0, 0]));
  return [at.clone().sub(half), at.add(half)];
}

/** Slabs: where a line enters a box around the origin. */
function meetsBox(from, along, size) {
  let near = -Infinity, far = Infinity;
  for (const [k, name] of ["x", "y", "z"].entries()) {
    const half = 0.5 * size[k], a = (-half - from[name]) / along[name], b = (half - from[name]) / along[name];
    if (along[name] === 0) {
      if (Math.abs(from[name]) > half) return Infinity;
      continue;
    }
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near <= far ? near : Infinity;
}

function meetsCylinder(from, along, radius, half) {
  const a = along.x ** 2 + along.y ** 2, b = from.x * along.x + from.y * along.y, c = from.x ** 2 + from.y ** 2 - radius ** 2;
  let near = -Infinity, far = Infinity;
  if (a > 1e-18) {
    const root = b * b - a * c;
    if (root < 0) return Infinity;
    near = (-b - Math.sqrt(root)) / a;
    far = (-b + Math.sqrt(root)) / a;
  } else if (c > 0) return Infinity;
  if (Math.abs(along.z) > 1e-18) {
    const p = (-half - from.z) / along.z, q = (half - from.z) / along.z;
    near = Math.max(near, Math.min(p, q));
    far = Math.min(far, Math.max(p, q));
  } else if (Math.abs(from.z) > half) return Infinity;
  return near <= far ? near : Infinity;
}

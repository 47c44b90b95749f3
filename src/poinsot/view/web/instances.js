/* Instances: all copies of one geometry in one material are one drawing. Their matrices are updated in place. */

const DYNAMIC = 35048; // gl.DYNAMIC_DRAW

/** Copies fixed to bodies. Add all, then `finish`, then `update` at every time. */
class Instances {
  constructor(geometry, material, { lines = false, shadow = false, coloured = false } = {}) {
    Object.assign(this, { geometry, material, lines, shadow, coloured, list: [] });
  }

  /** A copy at a place of a body, with a rotation, a scale and a colour. */
  add(body, place, turn, scale, colour = null) {
    const m = new THREE.Matrix4().compose(place, turn, scale).elements;
    this.list.push({ body, local: [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10], m[12], m[13], m[14]], colour });
  }

  /** Create the object to be drawn. */
  finish(parent) {
    const n = this.list.length;
    this.bodies = Int32Array.from(this.list, ({ body }) => body);
    this.locals = Float64Array.from(this.list.flatMap(({ local }) => local));
    const mesh = new THREE.InstancedMesh(this.geometry, this.material, n);
    this.object = this.lines ? instancedLines(mesh) : mesh;
    this.object.instanceMatrix.setUsage(DYNAMIC);
    this.object.frustumCulled = false;
    this.object.castShadow = this.shadow;
    this.object.receiveShadow = this.shadow;
    this.matrices = this.object.instanceMatrix.array;
    for (let i = 0; i < n; i += 1) this.matrices[16 * i + 15] = 1;
    if (this.coloured) this.list.forEach(({ colour }, i) => mesh.setColorAt(i, colour));
    parent.add(this.object);
  }

  /** Colour of the copies of a body; null: their own. */
  tint(body, colour) {
    if (!this.coloured) return;
    this.list.forEach((item, i) => {
      if (item.body === body) this.object.setColorAt(i, colour || item.colour);
    });
    this.object.instanceColor.needsUpdate = true;
  }

  /** Place all copies; `places` has twelve numbers per body, as `Run.places`. With `sight` (from world to clip space), only those in the picture. */
  update(places, sight = null) {
    const { bodies, locals, matrices } = this;
    let count = 0;
    for (let i = 0; i < bodies.length; i += 1) {
      const b = 12 * bodies[i], l = 12 * i, o = 16 * count;
      for (let c = 0; c < 4; c += 1) {
        const x = locals[l + 3 * c], y = locals[l + 3 * c + 1], z = locals[l + 3 * c + 2], q = o + 4 * c;
        matrices[q] = places[b] * x + places[b + 3] * y + places[b + 6] * z;
        matrices[q + 1] = places[b + 1] * x + places[b + 4] * y + places[b + 7] * z;
        matrices[q + 2] = places[b + 2] * x + places[b + 5] * y + places[b + 8] * z;
      }
      matrices[o + 12] += places[b + 9];
      matrices[o + 13] += places[b + 10];
      matrices[o + 14] += places[b + 11];
      if (sight === null || inSight(sight, matrices[o + 12], matrices[o + 13], matrices[o + 14])) count += 1;
    }
    this.object.count = count;
    this.object.instanceMatrix.needsUpdate = true;
  }

  dispose() {
    this.object.removeFromParent();
    this.object.dispose?.();
  }
}

/** Whether a point is in the picture, or a little outside. */
function inSight(m, x, y, z) {
  const w = 1.1 * (m[3] * x + m[7] * y + m[11] * z + m[15]);
  return Math.abs(m[0] * x + m[4] * y + m[8] * z + m[12]) < w && Math.abs(m[1] * x + m[5] * y + m[9] * z + m[13]) < w;
}

/** Lines drawn as instances: the renderer looks at these attributes only. */
function instancedLines(mesh) {
  const lines = new THREE.LineSegments(mesh.geometry, mesh.material);
  return Object.assign(lines, { isInstancedMesh: true, instanceMatrix: mesh.instanceMatrix, instanceColor: null, morphTexture: null, count: mesh.count });
}

/** Copies of a geometry of length 1 along z, stretched between points of two bodies. */
class Spans {
  constructor(geometry, material) {
    Object.assign(this, { geometry, material, list: [] });
  }

  /** `middle`: whether the geometry is centred on the origin, and not beginning there. */
  add(bodies, points, radius, middle) {
    this.list.push({ bodies, points: points.map((p) => new THREE.Vector3(...p)), radius, middle });
  }

  finish(parent) {
    this.object = new THREE.InstancedMesh(this.geometry, this.material, this.list.length);
    this.object.instanceMatrix.setUsage(DYNAMIC);
    this.object.frustumCulled = false;
    this.object.castShadow = true;
    this.item = new THREE.Group();
    parent.add(this.object);
  }

  update(run) {
    for (let k = 0; k < this.list.length; k += 1) {
      const { bodies, points, radius, middle } = this.list[k], item = this.item;
      run.world(bodies[0], points[0], endA);
      run.world(bodies[1], points[1], endB);
      const length = way.subVectors(endB, endA).length();
      item.position.copy(endA);
      if (middle) item.position.addVectors(endA, endB).multiplyScalar(0.5);
      if (length > 1e-12) item.quaternion.setFromUnitVectors(Z, way.divideScalar(length));
      item.scale.set(radius, radius, length).multiplyScalar(length > 1e-12 ? 1 : 0);
      item.updateMatrix();
      item.matrix.toArray(this.object.instanceMatrix.array, 16 * k);
    }
    this.object.instanceMatrix.needsUpdate = true;
  }

  dispose() {
    this.object.removeFromParent();
    this.object.dispose();
  }
}

const endA = new THREE.Vector3(), endB = new THREE.Vector3(), way = new THREE.Vector3();

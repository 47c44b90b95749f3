/* Geometries of solids, bars and springs. */

const Y = new THREE.Vector3(0, 1, 0);
const Z = new THREE.Vector3(0, 0, 1);

/** Cylinder of radius and height 1 about z, centred; shared by all round solids. */
function unitCylinder(sides = 40) {
  return new THREE.CylinderGeometry(1, 1, 1, sides).rotateX(Math.PI / 2);
}

/** Geometries shared by all solids of one page: each created once, scaled where used. */
class Stock {
  /** `coarse`: with few faces, for scenes of very many bodies. */
  constructor(coarse) {
    this.cylinder = unitCylinder(coarse ? 10 : 40);
    this.sphere = coarse ? new THREE.SphereGeometry(1, 6, 4) : new THREE.SphereGeometry(1, 32, 20);
    this.box = new THREE.BoxGeometry(1, 1, 1);
    this.boxEdges = new THREE.EdgesGeometry(this.box);
    this.rim = new THREE.EdgesGeometry(unitCylinder(coarse ? 16 : 40), 40);
    this.cone = new THREE.ConeGeometry(1, 1, 4).rotateY(Math.PI / 4).translate(0, -0.5, 0);
    this.diameters = lineGeometry([-1, 0, 0.502, 1, 0, 0.502, -1, 0, -0.502, 1, 0, -0.502]); // on both faces of a disc, to make its rotation visible
    this.helices = new Map();
    this.meshes = new Map();
  }

  /** Give up the memory of the graphics card. */
  dispose() {
    for (const part of [...Object.values(this), ...this.meshes.values()]) if (part.isBufferGeometry) part.dispose();
  }

  /** The triangles of a mesh of the page, decoded once; every triangle has its own normal, so that edges look sharp. */
  mesh(data) {
    if (!this.meshes.has(data)) {
      const steps = decode(data.points, Uint16Array);
      const faces = decode(data.faces, data.wide ? Uint32Array : Uint16Array);
      const positions = new Float32Array(3 * faces.length);
      for (let k = 0; k < faces.length; k += 1) {
        for (let i = 0; i < 3; i += 1) positions[3 * k + i] = data.low[i] + (data.size[i] * steps[3 * faces[k] + i]) / 65535;
      }
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
      geometry.computeVertexNormals();
      this.meshes.set(data, geometry);
    }
    return this.meshes.get(data);
  }

  /** A helix of radius 1 and length 1 along z from the origin, with straight ends; scaled along z it is a stretched spring. */
  helix(turns) {
    if (!this.helices.has(turns)) {
      const points = [new THREE.Vector3(0, 0, 0), new THREE.Vector3(0, 0, 0.05)];
      const count = 14 * turns;
      for (let k = 0; k <= count; k += 1) {
        const angle = (2 * Math.PI * turns * k) / count;
        points.push(new THREE.Vector3(Math.cos(angle), Math.sin(angle), 0.08 + (0.84 * k) / count));
      }
      points.push(new THREE.Vector3(0, 0, 0.95), new THREE.Vector3(0, 0, 1));
      this.helices.set(turns, points);
    }
    return this.helices.get(turns);
  }
}

function lineGeometry(points) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
  return geometry;
}

/** A wire through points (x, y in m, z from 0 to 1 along the spring): its cross-section lies in planes through z, so that it keeps its thickness across. */
function coilGeometry(points, wire) {
  const sides = 6, positions = [], index = [];
  for (const p of points) {
    const r = Math.hypot(p.x, p.y);
    const out = r > 1e-12 ? [p.x / r, p.y / r] : [1, 0];
    for (let k = 0; k < sides; k += 1) {
      const angle = (2 * Math.PI * k) / sides;
      const c = wire * Math.cos(angle), s = wire * Math.sin(angle);
      positions.push(p.x + c * out[0] - s * out[1] * 0.6, p.y + c * out[1] + s * out[0] * 0.6, p.z + 0.012 * Math.sin(angle));
    }
  }
  for (let i = 0; i + 1 < points.length; i += 1) {
    for (let k = 0; k < sides; k += 1) {
      const a = i * sides + k, b = i * sides + ((k + 1) % sides);
      index.push(a, b, a + sides, b, b + sides, a + sides);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(positions), 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

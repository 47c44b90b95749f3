/* Solids of bodies, bars and springs between bodies, as meshes. */

const Y = new THREE.Vector3(0, 1, 0);
const Z = new THREE.Vector3(0, 0, 1);

/** Cylinder of radius and height 1 about z, centred; shared by all round solids. */
function unitCylinder(sides = 40) {
  return new THREE.CylinderGeometry(1, 1, 1, sides).rotateX(Math.PI / 2);
}

/** Geometries shared by all solids of one page: each created once, scaled where used. */
class Stock {
  constructor() {
    this.cylinder = unitCylinder();
    this.sphere = new THREE.SphereGeometry(1, 32, 20);
    this.box = new THREE.BoxGeometry(1, 1, 1);
    this.boxEdges = new THREE.EdgesGeometry(this.box);
    this.rim = new THREE.EdgesGeometry(this.cylinder, 40);
    this.cone = new THREE.ConeGeometry(1, 1, 4).rotateY(Math.PI / 4).translate(0, -0.5, 0);
    this.helices = new Map();
    this.meshes = new Map();
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

/** One solid of a body; edges give boxes and cylinders a crisp outline. */
function solidMesh(solid, material, edge, stock, meshes) {
  const group = new THREE.Group();
  let mesh, outline;
  if (solid.kind === "box") {
    mesh = new THREE.Mesh(stock.box, material);
    mesh.scale.set(...solid.size);
    outline = stock.boxEdges;
  } else if (solid.kind === "cylinder") {
    mesh = new THREE.Mesh(stock.cylinder, material);
    mesh.scale.set(solid.radius, solid.radius, solid.length);
    outline = stock.rim;
  } else if (solid.kind === "mesh") {
    mesh = new THREE.Mesh(stock.mesh(meshes[solid.mesh]), material);
  } else {
    mesh = new THREE.Mesh(stock.sphere, material);
    mesh.scale.setScalar(solid.radius);
  }
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  group.add(mesh);
  if (outline && edge) {
    const lines = new THREE.LineSegments(outline, edge);
    lines.scale.copy(mesh.scale);
    group.add(lines);
  }
  if (solid.kind === "cylinder" && solid.length < solid.radius && edge) group.add(spoke(solid, edge));
  if (solid.at) group.position.set(...solid.at);
  if (solid.turn) group.quaternion.set(solid.turn[1], solid.turn[2], solid.turn[3], solid.turn[0]);
  return group;
}

/** A diameter on both faces of a disc, to make its rotation visible. */
function spoke(solid, edge) {
  const r = solid.radius, h = 0.502 * solid.length;
  const points = [-r, 0, h, r, 0, h, -r, 0, -h, r, 0, -h];
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
  return new THREE.LineSegments(geometry, edge);
}

/** A bar between points of two bodies whose distance may change. */
class Bar {
  constructor(bodies, points, radius, material, stock) {
    this.bodies = bodies;
    this.points = points.map((p) => new THREE.Vector3(...p));
    this.radius = radius;
    this.mesh = new THREE.Mesh(stock.cylinder, material);
    this.mesh.castShadow = true;
  }

  /** Place it between its ends; `world(body, point, out)` gives the position of a point of a body. */
  update(world) {
    const [a, b] = ends(this, world);
    stretch(this.mesh, a, b, this.radius, true);
  }
}

/** A spring: a helix that stretches between points of two bodies. */
class Coil {
  constructor(bodies, points, radius, wire, material, stock, turns) {
    this.bodies = bodies;
    this.points = points.map((p) => new THREE.Vector3(...p));
    this.radius = radius;
    const scaled = stock.helix(turns).map((p) => new THREE.Vector3(p.x * radius, p.y * radius, p.z));
    this.mesh = new THREE.Mesh(coilGeometry(scaled, wire), material);
    this.mesh.castShadow = true;
  }

  update(world) {
    const [a, b] = ends(this, world);
    stretch(this.mesh, a, b, 1, false);
  }
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

const endA = new THREE.Vector3(), endB = new THREE.Vector3(), way = new THREE.Vector3();

function ends(item, world) {
  world(item.bodies[0], item.points[0], endA);
  world(item.bodies[1], item.points[1], endB);
  return [endA, endB];
}

/** Stretch a mesh along z from a to b, from its middle or its start. */
function stretch(mesh, a, b, radius, fromMiddle) {
  way.subVectors(b, a);
  const length = way.length();
  mesh.visible = length > 1e-12;
  if (!mesh.visible) return;
  mesh.quaternion.setFromUnitVectors(Z, way.divideScalar(length));
  mesh.scale.set(radius, radius, length);
  mesh.position.copy(a);
  if (fromMiddle) mesh.position.addVectors(a, b).multiplyScalar(0.5);
}

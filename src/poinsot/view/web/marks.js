/* Joints: what they look like, and how the ground is marked where it holds a body. Marks stand in the groups of the bodies that carry them. */

/** Add the marks of a joint to the groups of its two bodies; gives what must be stretched at every time. */
function addJoint(joint, groups, up, mark, iron, stock) {
  const r = joint.radius;
  const [first, second] = joint.bodies.map((b) => groups[b]);
  const [pa, pb] = joint.points.map((p) => new THREE.Vector3(...p));
  const axis = joint.axis ? new THREE.Vector3(...joint.axis) : null;
  const moving = [];
  const round = (where, at, along, radius, length) => {
    const mesh = new THREE.Mesh(stock.cylinder, iron);
    mesh.position.copy(at);
    mesh.quaternion.setFromUnitVectors(Z, along);
    mesh.scale.set(radius, radius, length);
    where.add(mesh);
  };
  const ball = (where, at, radius) => {
    const mesh = new THREE.Mesh(stock.sphere, iron);
    mesh.position.copy(at);
    mesh.scale.setScalar(radius);
    where.add(mesh);
  };
  const block = (where, at, along, across, length) => {
    const mesh = new THREE.Mesh(stock.box, iron);
    mesh.position.copy(at);
    if (along) mesh.quaternion.setFromUnitVectors(Z, along);
    mesh.scale.set(across, across, length);
    where.add(mesh);
  };
  const kind = joint.kind;
  if (kind === "revolute") round(first, pa, axis, r, 3 * r);
  else if (kind === "spherical") ball(second, pb, 1.25 * r);
  else if (kind === "universal") {
    round(first, pa, axis, 0.6 * r, 3.6 * r);
    round(second, pb, new THREE.Vector3(...joint.axis2), 0.6 * r, 3.6 * r);
  } else if (kind === "fixed") block(first, pa, null, 1.6 * r, 1.6 * r);
  else if (kind === "planar") round(first, pa, axis, 2.2 * r, 0.4 * r);
  else if (axis) {
    const seenFromSecond = axis.clone().applyQuaternion(groups[joint.bodies[0]].userData.drawn).applyQuaternion(groups[joint.bodies[1]].userData.drawn.clone().invert());
    const collar = Math.min(r, 1.3 * mark);
    if (kind === "prismatic") block(second, pb, seenFromSecond, 2.6 * collar, 5 * collar);
    else round(second, pb, seenFromSecond, 1.5 * collar, 5 * collar);
    moving.push(...rail(joint, groups, pa, axis, mark, iron, stock));
  }
  if (joint.leans && kind !== "prismatic" && kind !== "cylindrical" && kind !== "screw") groups[0].add(foot(joint, up, mark, iron, stock));
  return moving;
}

/** What a slide runs on: on the ground, or with it as the second body, a fixed rail over all its way; between moving bodies a bar that grows with it. */
function rail(joint, groups, pa, axis, mark, iron, stock) {
  const [low, high] = joint.range;
  if (joint.bodies[0] !== 0) return [new Bar(joint.bodies, [joint.rail, joint.points[1]], 0.6 * mark, iron, stock)];
  const mesh = new THREE.Mesh(stock.cylinder, iron);
  const margin = 8 * mark;
  mesh.position.copy(pa).addScaledVector(axis, 0.5 * (low + high));
  mesh.quaternion.setFromUnitVectors(Z, axis);
  mesh.scale.set(0.6 * mark, 0.6 * mark, high - low + 2 * margin);
  groups[0].add(mesh);
  return [];
}

/** A pyramid with a plate that stands for the ground, below a joint or above it: on the side where its body is not. */
function foot(joint, up, mark, iron, stock) {
  const at = new THREE.Vector3(...joint.points[joint.bodies[0] === 0 ? 0 : 1]);
  const leans = new THREE.Vector3(...joint.leans);
  const group = new THREE.Group();
  const side = Math.max(mark, 0.7 * joint.radius);
  const pyramid = new THREE.Mesh(stock.cone, iron);
  pyramid.scale.set(2.1 * side, 3 * side, 2.1 * side);
  const plate = new THREE.Mesh(stock.box, iron);
  plate.scale.set(5 * side, 0.6 * side, 5 * side);
  plate.position.y = -3.2 * side;
  group.add(pyramid, plate);
  group.position.copy(at);
  const down = leans.dot(up) < -0.05 * leans.length();
  group.quaternion.setFromUnitVectors(Y, down ? up.clone().negate() : up);
  return group;
}

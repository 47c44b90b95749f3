/* Marks of joints, and of the ground where it supports a body. Marks belong to the groups of the bodies that carry them. */

/** Add the marks of a joint to the groups of its two bodies; returns what must be stretched at every time. */
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
  const slide = (collar) => {
    const seenFromSecond = axis.clone().applyQuaternion(groups[joint.bodies[0]].userData.drawn).applyQuaternion(groups[joint.bodies[1]].userData.drawn.clone().invert());
    collar(seenFromSecond, Math.min(r, 1.3 * mark));
    moving.push(...rail(joint, groups, pa, axis, mark, iron, stock));
  };
  const sleeve = () => slide((along, size) => round(second, pb, along, 1.5 * size, 5 * size));
  const drawings = { // known kinds: the data that they need, and how they are drawn
    revolute: { needs: ["axis"], draw: () => round(first, pa, axis, r, 3 * r) },
    spherical: { needs: [], draw: () => ball(second, pb, 1.25 * r) },
    universal: {
      needs: ["axis", "axis2"],
      draw: () => {
        round(first, pa, axis, 0.6 * r, 3.6 * r);
        round(second, pb, new THREE.Vector3(...joint.axis2), 0.6 * r, 3.6 * r);
      },
    },
    fixed: { needs: [], draw: () => block(first, pa, null, 1.6 * r, 1.6 * r) },
    planar: { needs: ["axis"], draw: () => round(first, pa, axis, 2.2 * r, 0.4 * r) },
    prismatic: { needs: ["axis", "range", "rail"], draw: () => slide((along, size) => block(second, pb, along, 2.6 * size, 5 * size)) },
    cylindrical: { needs: ["axis", "range", "rail"], draw: sleeve },
    screw: { needs: ["axis", "range", "rail"], draw: sleeve },
  };
  const drawing = Object.hasOwn(drawings, joint.kind) ? drawings[joint.kind] : null;
  if (drawing && drawing.needs.every((name) => joint[name] !== undefined)) drawing.draw();
  else for (const [where, at] of [[first, pa], [second, pb]]) ball(where, at, 0.9 * r); // a plain mark on either body
  if (joint.leans && joint.range === undefined) groups[0].add(foot(joint, up, mark, iron, stock));
  return moving;
}

/** The rail of a slide: fixed over the whole range if either body is the ground; between moving bodies a bar that extends with it. */
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

/** A pyramid on a plate as the symbol of the ground, below or above a joint: on the side away from the body. */
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

/* Marks of joints, and of the ground where it supports a body. Every mark is fixed to one of the two bodies. */

/** Add the marks of a joint to a model. */
function addJoint(joint, model) {
  const { stock, up } = model.look, mark = model.run.scene.mark;
  const r = joint.radius;
  const [first, second] = joint.bodies;
  const [pa, pb] = joint.points.map((p) => new THREE.Vector3(...p));
  const axis = joint.axis ? new THREE.Vector3(...joint.axis) : null;
  const along = (direction) => new THREE.Quaternion().setFromUnitVectors(Z, direction);
  const round = (body, at, direction, radius, length) => model.mark(stock.cylinder, body, at, along(direction), new THREE.Vector3(radius, radius, length));
  const ball = (body, at, radius) => model.mark(stock.sphere, body, at, UNTURNED, new THREE.Vector3(radius, radius, radius));
  const block = (body, at, direction, across, length) => model.mark(stock.box, body, at, direction ? along(direction) : UNTURNED, new THREE.Vector3(across, across, length));
  const slide = (collar) => {
    const { run } = model;
    const seen = run.unturned(second, run.turned(first, axis, new THREE.Vector3()), new THREE.Vector3());
    collar(seen, Math.min(r, 1.3 * mark));
    rail(joint, model, pa, axis, mark);
  };
  const sleeve = () => slide((direction, size) => round(second, pb, direction, 1.5 * size, 5 * size));
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
    prismatic: { needs: ["axis", "range", "rail"], draw: () => slide((direction, size) => block(second, pb, direction, 2.6 * size, 5 * size)) },
    cylindrical: { needs: ["axis", "range", "rail"], draw: sleeve },
    screw: { needs: ["axis", "range", "rail"], draw: sleeve },
  };
  const drawing = Object.hasOwn(drawings, joint.kind) ? drawings[joint.kind] : null;
  if (drawing && drawing.needs.every((name) => joint[name] !== undefined)) drawing.draw();
  else for (const [body, at] of [[first, pa], [second, pb]]) ball(body, at, 0.9 * r); // a plain mark on either body
  if (joint.leans && joint.range === undefined) foot(joint, model, up, mark);
}

/** The rail of a slide: fixed over the whole range if its first body is the ground; between moving bodies a bar that extends with it. */
function rail(joint, model, pa, axis, mark) {
  const { stock } = model.look, [low, high] = joint.range;
  if (joint.bodies[0] !== 0) {
    model.span("bar", () => stock.cylinder).add(joint.bodies, [joint.rail, joint.points[1]], 0.6 * mark, true);
    return;
  }
  const middle = pa.clone().addScaledVector(axis, 0.5 * (low + high));
  model.mark(stock.cylinder, 0, middle, new THREE.Quaternion().setFromUnitVectors(Z, axis), new THREE.Vector3(0.6 * mark, 0.6 * mark, high - low + 16 * mark));
}

/** A pyramid on a plate as the symbol of the ground, below or above a joint: on the side away from the body. */
function foot(joint, model, up, mark) {
  const { stock } = model.look, at = new THREE.Vector3(...joint.points[joint.bodies[0] === 0 ? 0 : 1]);
  const leans = new THREE.Vector3(...joint.leans), side = Math.max(mark, 0.7 * joint.radius);
  const away = leans.dot(up) < -0.05 * leans.length() ? up.clone().negate() : up;
  const turn = new THREE.Quaternion().setFromUnitVectors(Y, away);
  model.mark(stock.cone, 0, at, turn, new THREE.Vector3(2.1 * side, 3 * side, 2.1 * side));
  model.mark(stock.box, 0, at.clone().addScaledVector(away, -3.2 * side), turn, new THREE.Vector3(5 * side, 0.6 * side, 5 * side));
}

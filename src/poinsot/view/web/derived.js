/* Results that the page derives from its frames, for bodies whose results it does not contain: there is something to plot for every body. */

const DERIVED = {
  com: { label: "centre of mass", unit: "m" },
  com_velocity: { label: "velocity of the centre of mass", unit: "m/s" },
  angular_velocity: { label: "angular velocity", unit: "rad/s" },
};

/** Groups for the results of bodies that have none in the page. */
function derivedGroups(groups, runs) {
  const known = new Set(groups.map((group) => group.key)), found = [];
  for (const run of runs) {
    for (const body of run.scene.bodies) {
      for (const [what, { label, unit }] of Object.entries(DERIVED)) {
        const key = `${body.name}.${what}`;
        if (known.has(key) || (what === "angular_velocity" && !run.spins)) continue;
        known.add(key);
        found.push({ key, title: `${label[0].toUpperCase()}${label.slice(1)} of ${body.name}`, section: body.name, unit, of: [key], shown: 0 });
      }
    }
  }
  return found;
}

/** Curves of such a result at the frames: x, y, z; empty when the name is of none. */
function derivedCurves(run, quantity) {
  const cut = quantity.lastIndexOf("."), what = quantity.slice(cut + 1);
  const body = run.scene.bodies.findIndex(({ name }) => name === quantity.slice(0, cut));
  if (body < 0 || !Object.hasOwn(DERIVED, what)) return [];
  const stored = { com_velocity: run.speeds, angular_velocity: run.spins }[what];
  if (what !== "com" && !stored) return [];
  const t = run.t.map((time) => time + run.start), columns = [0, 1, 2].map(() => new Float32Array(run.t.length));
  const at = new THREE.Vector3();
  for (let k = 0; k < run.t.length; k += 1) {
    if (stored) at.fromArray(stored, 3 * (k * run.bodies + body));
    else comAt(run, k, body, at);
    at.toArray([]).forEach((value, i) => {
      columns[i][k] = value;
    });
  }
  return columns.map((y, i) => ({ name: "xyz"[i], label: `${DERIVED[what].label} of ${run.scene.bodies[body].name}`, t, y, change: y, thinned: run.t.length < run.data.outputs }));
}

const attitude = new THREE.Quaternion();

/** Centre of mass of a body (index without the ground) at a frame. */
function comAt(run, frame, body, out) {
  const p = run.poses, a = 7 * (frame * run.bodies + body), [x, y, z] = run.scene.bodies[body].com;
  attitude.set(p[a + 4], p[a + 5], p[a + 6], p[a + 3]);
  out.set(x, y, z).applyQuaternion(attitude);
  out.x += p[a];
  out.y += p[a + 1];
  out.z += p[a + 2];
  return out;
}

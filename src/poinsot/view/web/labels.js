/* Names of bodies and joints over the scene. Names that would cover others are moved beside them, or left out. */

const HEIGHT = 18; // of a name, pixels
const MARGIN = 2; // between names, pixels
const SLOTS = [[8, -9], [-8, -9], [0, -27], [0, 9]]; // right, left, above, below; of the left one the right end is at x
const CROWD = 30; // names: of more, none stands above or below its place, where the next bodies are
const ORDERS = [[0, 1, 2, 3], [1, 0, 2, 3], [0, 1, 2, 3], [0, 1, 3, 2]]; // in which slots are tried, after each: names stay where they are beside a body

class Labels {
  constructor(box, runs) {
    Object.assign(this, { box, entries: [], placed: [] });
    this.pen = document.createElement("canvas").getContext("2d");
    for (const run of runs) {
      run.scene.bodies.forEach((body, k) => this.add(run, k + 1, body.com, body.name, "labels"));
      for (const joint of run.scene.joints) if (joint.name) this.add(run, joint.bodies[1], joint.points[1], joint.name, "jointnames");
    }
    box.replaceChildren();
  }

  add(run, body, at, name, kind) {
    this.entries.push({ run, body, at: new THREE.Vector3(...at), name, kind, slot: 0, width: 0, label: null, x: 0, y: 0, z: 0, inside: false });
  }

  /** Place those that are switched on. Returns how many are shown, and of how many in the picture. */
  update(camera, width, height, options, picked) {
    this.placed.length = 0;
    if (options.labels || options.jointnames) for (const id of ["triad", "notes"]) this.reserve(document.getElementById(id));
    this.crowded = this.entries.reduce((n, { kind }) => n + (options[kind] === true ? 1 : 0), 0) > CROWD;
    let shown = 0, all = 0;
    for (const entry of this.entries) {
      entry.inside = options[entry.kind] === true && entry.run.visible;
      if (!entry.inside) continue;
      const p = entry.run.world(entry.body, entry.at, endA).project(camera);
      entry.x = ((p.x + 1) * width) / 2;
      entry.y = ((1 - p.y) * height) / 2;
      entry.z = p.z;
      entry.inside = p.z < 1 && entry.x > 0 && entry.x < width && entry.y > 0 && entry.y < height;
    }
    for (const entry of this.entries) entry.first = (entry.label !== null && !entry.label.hidden) || isPicked(entry, picked);
    for (const first of [true, false]) { // those that are shown keep their places before others get theirs, so that names do not flicker
      for (const entry of this.entries) {
        if (!entry.inside || entry.first !== first) continue;
        all += 1;
        if (this.put(entry, width, height)) shown += 1;
        else if (entry.label) entry.label.hidden = true;
      }
    }
    for (const { inside, label } of this.entries) if (!inside && label) label.hidden = true;
    return [shown, all];
  }

  /** Find room for a name: where it was, then in the other slots. */
  put(entry, width, height) {
    if (!entry.width) {
      this.pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      entry.width = Math.min(Math.ceil(this.pen.measureText(entry.name).width) + 9, 220);
    }
    for (const slot of this.crowded ? ORDERS[entry.slot % 2].slice(0, 2) : ORDERS[entry.slot]) {
      const [dx, dy] = SLOTS[slot];
      const x = entry.x + dx - (slot === 1 ? entry.width : slot > 1 ? entry.width / 2 : 0), y = entry.y + dy;
      if (x < 0 || x + entry.width > width || y < 0 || y + HEIGHT > height || this.covers(x, y, entry.width)) continue;
      this.placed.push(x, y, entry.width, HEIGHT);
      entry.slot = slot;
      this.show(entry, x, y);
      return true;
    }
    return false;
  }

  /** Keep names away from what stands in a corner of the scene; a hidden element has no size. */
  reserve(corner) {
    if (corner && corner.offsetHeight) this.placed.push(corner.offsetLeft, corner.offsetTop, corner.offsetWidth, corner.offsetHeight);
  }

  covers(x, y, wide) {
    const p = this.placed;
    for (let k = 0; k < p.length; k += 4) {
      if (x < p[k] + p[k + 2] + MARGIN && p[k] < x + wide + MARGIN && y < p[k + 1] + p[k + 3] + MARGIN && p[k + 1] < y + HEIGHT + MARGIN) return true;
    }
    return false;
  }

  show(entry, x, y) {
    if (!entry.label) {
      entry.label = element("span", entry.kind === "jointnames" ? { class: "joint" } : {}, entry.name);
      this.box.append(entry.label);
    }
    entry.label.hidden = false;
    entry.label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  /** Names with their places, for pictures: [{name, x, y, width, joint}]. */
  visible() {
    return this.entries.filter(({ label }) => label && !label.hidden).map(({ name, label, width, kind }) => {
      const [x, y] = label.style.transform.match(/-?[\d.]+/g).map(Number);
      return { name, x, y, width, joint: kind === "jointnames" };
    });
  }
}

function isPicked(entry, picked) {
  return picked !== null && entry.kind === "labels" && picked.run === entry.run.index && picked.body === entry.body;
}

/* The data of the page: read from its JSON, and interpolated in time. Lengths in m, times in s, quaternions w, x, y, z. */

/** Decode a base64 string into a typed array. */
function decode(text, Type = Float32Array) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k += 1) bytes[k] = raw.charCodeAt(k);
  return new Type(bytes.buffer);
}

const FAR = 2; // rad
const spin = new THREE.Vector3(), rest = new THREE.Vector3(), left = new THREE.Quaternion(), arrived = new THREE.Quaternion();
const attitudeNow = new THREE.Quaternion(), whirled = new THREE.Matrix4();

/** The rotation by a part of a rotation vector, rad. */
function turned(vector, part, out) {
  const angle = vector.length(), s = angle > 0 ? Math.sin(0.5 * part * angle) / angle : 0;
  return out.set(s * vector.x, s * vector.y, s * vector.z, Math.cos(0.5 * part * angle));
}

/** One run: frames of all bodies, arrows, curves. Body 0 is the ground. */
class Run {
  constructor(data, index) {
    Object.assign(this, { name: data.name, index, start: data.start, end: data.end, scene: data.scene, audit: data.audit });
    this.data = data;
    this.visible = true;
    this.t = decode(data.t, Float64Array);
    this.bodies = data.scene.bodies.length;
    this.poses = decode(data.poses);
    this.speeds = decode(data.speeds);
    this.spins = data.spins ? decode(data.spins) : null; // angular velocities, world; not in every page
    this.places = new Float64Array(12 * (this.bodies + 1)); // of every body: three columns of its rotation, then its position
    for (const k of [0, 4, 8]) this.places[k] = 1;
    this.arrows = data.arrows.map((arrow) => ({ ...arrow, values: decode(arrow.values) }));
    this.curves = new Map();
    this.frame = 0;
    this.part = 0;
    this.fast = this.spins ? this.fastBodies() : [];
  }

  /** Bodies that turn so far between two frames that the shorter rotation from one to the other may not be theirs. */
  fastBodies() {
    const found = [], { t, spins: w, bodies } = this;
    for (let b = 0; b < bodies; b += 1) {
      for (let k = 0; k + 1 < t.length; k += 1) {
        const i = 3 * (k * bodies + b);
        if (Math.hypot(w[i], w[i + 1], w[i + 2]) * (t[k + 1] - t[k]) > FAR) {
          found.push(b + 1);
          break;
        }
      }
    }
    return found;
  }

  /** The attitude of such a body now: it turns with its mean angular velocity, and what is left to the next frame is spread evenly. */
  whirl(body, turn) {
    const { frame, part, bodies, poses: p, spins: w } = this, a = 7 * (frame * bodies + body - 1), i = 3 * (frame * bodies + body - 1), next = 3 * bodies;
    const h = this.t[frame + 1] - this.t[frame];
    spin.set(w[i] + w[i + next], w[i + 1] + w[i + next + 1], w[i + 2] + w[i + next + 2]).multiplyScalar(0.5 * h);
    turned(spin, 1, left).multiply(turn.set(p[a + 4], p[a + 5], p[a + 6], p[a + 3])).invert(); // the attitude that this would lead to
    const b = a + 7 * bodies;
    left.premultiply(arrived.set(p[b + 4], p[b + 5], p[b + 6], p[b + 3]));
    if (left.w < 0) left.set(-left.x, -left.y, -left.z, -left.w);
    const size = Math.hypot(left.x, left.y, left.z), angle = 2 * Math.atan2(size, left.w);
    rest.set(left.x, left.y, left.z).multiplyScalar(size > 0 ? angle / size : 0);
    return turn.premultiply(turned(spin, part, arrived)).premultiply(turned(rest, part, left)).normalize();
  }

  /** Go to a time: the frame before it, and the fraction of the interval to the next. Before the start and after the end the run does not move. */
  seek(time) {
    const t = Math.min(Math.max(time - this.start, 0), this.t[this.t.length - 1]);
    const k = before(this.t, t);
    const last = this.t.length - 1;
    this.frame = Math.min(k, Math.max(last - 1, 0));
    const width = last > 0 ? this.t[this.frame + 1] - this.t[this.frame] : 0;
    this.part = width > 0 ? (t - this.t[this.frame]) / width : 0;
  }

  /** Whether the time is between frames, of a run with outputs that are not among its frames. */
  get between() {
    return this.t.length < this.data.outputs && this.part > SAME && this.part < 1 - SAME;
  }

  /** Pose of a body now: sets a THREE.Vector3 and a THREE.Quaternion. Rotations are interpolated along the chord and normalised. */
  pose(body, place, turn) {
    if (body === 0) {
      place.set(0, 0, 0);
      turn.identity();
      return;
    }
    const p = this.poses, size = 7 * this.bodies, f = this.part;
    const a = this.frame * size + 7 * (body - 1);
    const b = this.t.length > 1 ? a + size : a;
    place.set(mix(p[a], p[b], f), mix(p[a + 1], p[b + 1], f), mix(p[a + 2], p[b + 2], f));
    let same = 0;
    for (let k = 3; k < 7; k += 1) same += p[a + k] * p[b + k];
    const sign = same < 0 ? -1 : 1;
    turn.set(mix(p[a + 4], sign * p[b + 4], f), mix(p[a + 5], sign * p[b + 5], f), mix(p[a + 6], sign * p[b + 6], f), mix(p[a + 3], sign * p[b + 3], f));
    turn.normalize();
    if (this.fast.includes(body)) this.whirl(body, turn);
  }

  /** Poses of all bodies now, into `places`. Nothing is allocated. */
  place() {
    const p = this.poses, m = this.places, size = 7 * this.bodies, f = this.part, next = this.t.length > 1 ? size : 0;
    for (let body = 1; body <= this.bodies; body += 1) {
      const a = this.frame * size + 7 * (body - 1), b = a + next, o = 12 * body;
      const sign = p[a + 3] * p[b + 3] + p[a + 4] * p[b + 4] + p[a + 5] * p[b + 5] + p[a + 6] * p[b + 6] < 0 ? -f : f;
      const g = 1 - f;
      let w = g * p[a + 3] + sign * p[b + 3], x = g * p[a + 4] + sign * p[b + 4], y = g * p[a + 5] + sign * p[b + 5], z = g * p[a + 6] + sign * p[b + 6];
      const n = 1 / Math.sqrt(w * w + x * x + y * y + z * z);
      w *= n;
      x *= n;
      y *= n;
      z *= n;
      m[o] = 1 - 2 * (y * y + z * z);
      m[o + 1] = 2 * (x * y + w * z);
      m[o + 2] = 2 * (x * z - w * y);
      m[o + 3] = 2 * (x * y - w * z);
      m[o + 4] = 1 - 2 * (x * x + z * z);
      m[o + 5] = 2 * (y * z + w * x);
      m[o + 6] = 2 * (x * z + w * y);
      m[o + 7] = 2 * (y * z - w * x);
      m[o + 8] = 1 - 2 * (x * x + y * y);
      m[o + 9] = g * p[a] + f * p[b];
      m[o + 10] = g * p[a + 1] + f * p[b + 1];
      m[o + 11] = g * p[a + 2] + f * p[b + 2];
    }
    for (const body of this.fast) {
      const o = 12 * body, e = whirled.makeRotationFromQuaternion(this.whirl(body, attitudeNow)).elements;
      for (let c = 0; c < 3; c += 1) for (let r = 0; r < 3; r += 1) m[o + 3 * c + r] = e[4 * c + r];
    }
  }

  /** World position of a point of a body, as last placed. */
  world(body, point, out) {
    const m = this.places, o = 12 * body, { x, y, z } = point;
    return out.set(
      m[o] * x + m[o + 3] * y + m[o + 6] * z + m[o + 9],
      m[o + 1] * x + m[o + 4] * y + m[o + 7] * z + m[o + 10],
      m[o + 2] * x + m[o + 5] * y + m[o + 8] * z + m[o + 11],
    );
  }

  /** A direction of a body in the world, as last placed. */
  turned(body, direction, out) {
    const m = this.places, o = 12 * body, { x, y, z } = direction;
    return out.set(m[o] * x + m[o + 3] * y + m[o + 6] * z, m[o + 1] * x + m[o + 4] * y + m[o + 7] * z, m[o + 2] * x + m[o + 5] * y + m[o + 8] * z);
  }

  /** A world direction in the axes of a body, as last placed. */
  unturned(body, direction, out) {
    const m = this.places, o = 12 * body, { x, y, z } = direction;
    return out.set(m[o] * x + m[o + 1] * y + m[o + 2] * z, m[o + 3] * x + m[o + 4] * y + m[o + 5] * z, m[o + 6] * x + m[o + 7] * y + m[o + 8] * z);
  }

  /** A vector at the current time, from `count` vectors per frame. */
  vector(values, which, count, out) {
    const a = 3 * (this.frame * count + which);
    const b = this.t.length > 1 ? a + 3 * count : a;
    return out.set(mix(values[a], values[b], this.part), mix(values[a + 1], values[b + 1], this.part), mix(values[a + 2], values[b + 2], this.part));
  }

  /** Curves of a quantity: [{name, label, t, y, change}], times in the page's time; `change` is y since the start, of energies.
   *  Empty when the run has no such quantity. Decoded on first use; see `derived.js` for those that come from frames. */
  curvesOf(quantity) {
    if (!this.curves.has(quantity)) {
      const entry = this.data.series[quantity];
      if (!this.outputTimes && this.data.outputTimes) this.outputTimes = decode(this.data.outputTimes, Float64Array).map((t) => t + this.start);
      this.curves.set(quantity, entry ? entry.parts.map((part) => this.curve(entry, part)) : derivedCurves(this, quantity));
    }
    return this.curves.get(quantity);
  }

  curve(entry, part) {
    const change = decode(part.y), start = part.from || 0;
    const y = start ? Float64Array.from(change, (value) => value + start) : change;
    const t = part.t ? decode(part.t).map((time) => time + this.start) : this.outputTimes;
    const found = { name: part.name, label: entry.label, t, y, change, rounding: entry.rounding, still: entry.still, thinned: false };
    if (!part.common) return found;
    this.commonTimes = this.commonTimes || decode(this.data.commonTimes, Float64Array).map((time) => time + this.start);
    const moved = decode(part.common); // at times that all curves have
    const common = { t: this.commonTimes, y: start ? Float64Array.from(moved, (value) => value + start) : moved, change: moved };
    return { ...found, thinned: true, common };
  }
}

/** Index of the last entry of a sorted array that is not greater than x; 0 when all are. */
function before(sorted, x) {
  let low = 0, high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Value of a curve at a time, linear between its points. */
function valueAt(curve, time) {
  const k = Math.min(before(curve.t, time), curve.t.length - 2);
  if (k < 0) return curve.y[0];
  const f = Math.min(Math.max((time - curve.t[k]) / (curve.t[k + 1] - curve.t[k] || 1), 0), 1);
  return mix(curve.y[k], curve.y[k + 1], f);
}

function mix(a, b, f) {
  return a + (b - a) * f;
}

/* Curves for a plot: results of runs over time, over another result, or two components as a polar diagram. */

/** What the horizontal axis of a plot shows: {kind: "time"}, {kind: "xy", quantity, part}, or {kind: "polar", parts: [a, b]}. */
function readOver(key) {
  if (key.startsWith("polar")) return { kind: "polar", parts: (key.split(" ")[1] || "0,1").split(",").map(Number) };
  if (key === "time") return { kind: "time" };
  const cut = key.lastIndexOf("|");
  return { kind: "xy", quantity: key.slice(0, cut), part: Number(key.slice(cut + 1)) };
}

/** Everything that a horizontal axis can show, by key: {key, title, words, section, unit}; with the components of every quantity in `parts`. */
function catalogueOf(groups, runs) {
  const found = new Map(), parts = new Map();
  const add = (quantity, title, section, unit) => {
    if (parts.has(quantity)) return;
    const names = partsOf(runs, quantity);
    parts.set(quantity, names);
    names.forEach((name, k) => {
      const key = `${quantity}|${k}`, words = name ? `${title}: ${name}` : title;
      found.set(key, { key, title: words, words, section, unit });
    });
  };
  for (const { of, title, section, unit } of groups) if (of.length === 1 && !of[0].endsWith("_error")) add(of[0], title, section, unit);
  for (const run of runs) for (const [name, { label, unit }] of Object.entries(run.data.series)) add(name, label[0].toUpperCase() + label.slice(1), "System", unit);
  return { found, parts };
}

const TIME = { key: "time", title: "Time", words: "time", section: "This plot", unit: "s" };

/** The horizontal axis of a key; time where the key is of nothing that there is. */
function overAxis(key, group, catalogue) {
  if (key.startsWith("polar")) return { key, title: "Polar", words: "polar angle", section: "This plot", unit: group.unit };
  return catalogue.found.get(key) || TIME;
}

/** Choices for the horizontal axis of a plot of a group. */
function overChoices(group, catalogue) {
  const found = [TIME], parts = group.of.length === 1 ? catalogue.parts.get(group.of[0]) || [] : [];
  for (let a = 0; a < parts.length; a += 1) for (let b = a + 1; b < parts.length; b += 1) {
    found.push({ key: `polar ${a},${b}`, title: `Polar: ${parts[a]} and ${parts[b]}`, section: "This plot", unit: group.unit });
  }
  return [...found, ...catalogue.found.values()];
}

/** Names of the components of a quantity, [""] of a number; without decoding it. */
function partsOf(runs, quantity) {
  for (const run of runs) {
    const entry = run.data.series[quantity];
    if (entry) return entry.parts.map(({ name }) => name);
  }
  return Object.hasOwn(DERIVED, quantity.slice(quantity.lastIndexOf(".") + 1)) ? ["x", "y", "z"] : [];
}

/** An energy as its change since the start. */
function changes(part) {
  const { common } = part;
  return { ...part, y: part.change, rounding: part.still, common: common && { ...common, y: common.change } };
}

const LEAP = 0.03; // of the size of a plot: where points are further from each other than that, lines between them would be no part of the curve

/** Whether points in order of time are too far from each other to be connected, most of them. */
function leaps(x, y) {
  const [wide, tall] = [x, y].map((v) => v.reduce((most, value) => Math.max(most, value), -Infinity) - v.reduce((least, value) => Math.min(least, value), Infinity));
  const far = [];
  for (let k = 1; k < x.length; k += 1) far.push(Math.hypot((x[k] - x[k - 1]) / (wide || 1), (y[k] - y[k - 1]) / (tall || 1)));
  return far.sort((a, b) => a - b)[far.length >> 1] > LEAP;
}

/** Two curves at common times: {t, x, y}, and `dots` where they must not be connected. Of long runs these are some of the outputs. */
function paired(first, second) {
  if (first.common && second.common) {
    const x = first.common.y, { t, y } = second.common;
    return { t, x, y, dots: leaps(x, y), thinned: true };
  }
  const same = first.t === second.t || (first.t.length === second.t.length && first.t.every((t, k) => t === second.t[k]));
  const thinned = Boolean(first.thinned || second.thinned);
  if (same) return { t: first.t, x: first.y, y: second.y, thinned };
  const low = Math.max(first.t[0], second.t[0]), high = Math.min(first.t[first.t.length - 1], second.t[second.t.length - 1]);
  const t = [...new Set([...first.t, ...second.t])].filter((time) => time >= low && time <= high).sort((a, b) => a - b);
  return { t, x: t.map((time) => valueAt(first, time)), y: t.map((time) => valueAt(second, time)), thinned };
}

const SAME = 1e-6; // s, relative to the time: times nearer to each other are the same; those of long curves have seven digits

/** Curves of a group over what `over` says, of all runs: [{quantity, part, name, label, run, t, x, y, rounding}]. */
function curvesFor(group, over, runs) {
  const found = [];
  for (const run of runs) {
    const across = over.kind === "xy" ? run.curvesOf(over.quantity)[over.part] : null;
    for (const quantity of group.of) {
      const parts = run.curvesOf(quantity).map((part) => (group.relative ? changes(part) : part));
      if (over.kind === "polar") {
        const [a, b] = over.parts.map((k) => parts[k]);
        if (a && b) found.push({ quantity, part: { name: `${a.name}, ${b.name}${a.label.includes(", axes") ? a.label.slice(a.label.lastIndexOf(", axes")) : ""}`, label: a.label }, run, ...paired(a, b), axes: [a.name, b.name], rounding: a.rounding });
        continue;
      }
      for (const part of parts) {
        if (over.kind === "time") found.push({ quantity, part, run, t: part.t, x: part.t, y: part.y, rounding: part.rounding, thinned: part.thinned });
        else if (across) found.push({ quantity, part, run, ...paired(across, part), rounding: part.rounding });
      }
    }
  }
  return found;
}

/** Place {x, y} on a curve at a time, linear between its points or at the nearest of dots, which is at `t`; `about`: whether outputs between the `ends` were left out. */
function placeAt(curve, time, out) {
  const { t } = curve, k = Math.max(0, Math.min(before(t, time), t.length - 2)), next = Math.min(k + 1, t.length - 1);
  let f = Math.min(Math.max((time - t[k]) / (t[next] - t[k] || 1), 0), 1);
  if (curve.dots) f = Math.round(f);
  out.ends = [k, next];
  out.t = mix(t[k], t[next], f);
  out.about = Boolean(curve.thinned) && Math.min(Math.abs(time - t[k]), Math.abs(time - t[next])) > SAME * Math.max(1, Math.abs(time));
  out.x = mix(curve.x[k], curve.x[next], f);
  out.y = mix(curve.y[k], curve.y[next], f);
  return out;
}

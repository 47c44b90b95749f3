/* Drawing a plot with a pen: axes, grid and curves. Works for canvases and for SVG. */

const DOT = 1.3; // pixels: radius of a point that is not connected
const NO_ZOOM = { x: null, y: null };

/** Lowest and highest value of curves along x or y; with `within`, only where x lies in that interval. */
function extent(curves, along, within = null) {
  let low = Infinity, high = -Infinity;
  for (const curve of curves) {
    if (!curve.shown) continue;
    const values = curve[along];
    for (let k = 0; k < values.length; k += 1) {
      if (within && (curve.x[k] < within[0] || curve.x[k] > within[1])) continue;
      if (values[k] < low) low = values[k];
      if (values[k] > high) high = values[k];
    }
  }
  return low <= high ? [low, high] : null;
}

/** An interval with a margin; a constant curve gets an interval around it, and what is rounding one around zero. */
function padded(range, isRounding) {
  if (!range) return [0, 1];
  if (isRounding) return [-1, 1];
  const [low, high] = range, size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-6 * size || high === low) return size > 0 ? [low - 0.1 * size, high + 0.1 * size] : [-1, 1];
  const room = 0.06 * (high - low);
  return [low - room, high + room];
}

/** Geometry of a plot: intervals of both axes, and its rectangle. `plot`: {kind, curves, span, zoom, unit, unitX, titleX}. */
function layOut(plot, pen, width, height) {
  const shown = plot.curves.filter((curve) => curve.shown);
  const rounding = shown.length > 0 && shown.every((curve) => curve.rounding !== undefined);
  const zoom = plot.zoom || NO_ZOOM;
  if (plot.kind === "polar") return layOutPolar(plot, pen, width, height, rounding);
  const x = zoom.x || (plot.kind === "time" ? plot.span : padded(extent(plot.curves, "x"), false));
  const y = zoom.y || padded(extent(plot.curves, "y", zoom.x) || extent(plot.curves, "y"), rounding);
  const marks = axisMarks(y, Math.max(2, Math.floor(height / 36)));
  pen.font = "11px system-ui, sans-serif";
  const left = Math.ceil(Math.max(...marks.texts.map((text) => pen.measureText(text).width), 18)) + 10;
  const frame = { left, top: 20, wide: Math.max(width - left - 10, 1), tall: Math.max(height - 40, 1), width, height, rounding, yMarks: marks };
  if (plot.kind === "xy" && plot.unit === plot.unitX && !zoom.x && !zoom.y) equalise(x, y, frame);
  return { ...frame, x, y, yMarks: axisMarks(y, Math.max(2, Math.floor(height / 36))), xMarks: axisMarks(x, Math.max(2, Math.floor(frame.wide / 70)), plot.kind === "time") };
}

/** Widen one of two intervals so that both have one scale. */
function equalise(x, y, { wide, tall }) {
  const scale = Math.max((x[1] - x[0]) / wide, (y[1] - y[0]) / tall);
  for (const [range, pixels] of [[x, wide], [y, tall]]) {
    const middle = 0.5 * (range[0] + range[1]);
    range[0] = middle - 0.5 * scale * pixels;
    range[1] = middle + 0.5 * scale * pixels;
  }
}

function layOutPolar(plot, pen, width, height, rounding) {
  let most = 0;
  for (const curve of plot.curves) if (curve.shown) for (let k = 0; k < curve.x.length; k += 1) most = Math.max(most, Math.hypot(curve.x[k], curve.y[k]));
  const radius = plot.zoom?.r || 1.06 * (rounding ? 0 : most) || 1, half = 0.5 * height - 22;
  const wide = 2 * half, left = 0.5 * width - half;
  const scale = radius * (0.5 * width / half);
  return { left: 0, top: 22, wide: width, tall: wide, width, height, rounding, radius, half, centre: [left + half, 22 + half], x: [-scale, scale], y: [-radius, radius], xMarks: axisMarks([0, radius], 4) };
}

/** Ticks of an axis: values, their texts, and the common power of ten. */
function axisMarks(range, count, plain = false) {
  const power10 = plain ? 0 : commonPower(Math.max(Math.abs(range[0]), Math.abs(range[1])));
  const factor = 10 ** power10, { step, values } = ticks(range[0] / factor, range[1] / factor, count);
  return { power10, values: values.map((value) => value * factor), texts: values.map((value) => fixed(value, step)) };
}

/** A unit with the power of ten of its axis, in brackets. */
function unitWords(unit, power10) {
  const words = [power10 === 0 ? "" : power(`1e${power10}`).slice(2), unit === "1" ? "" : pretty(unit || "")].filter(Boolean).join(" ");
  return words && `[${words}]`;
}

const toX = (frame, x) => frame.left + ((x - frame.x[0]) / (frame.x[1] - frame.x[0] || 1)) * frame.wide;
const toY = (frame, y) => frame.top + (1 - (y - frame.y[0]) / (frame.y[1] - frame.y[0] || 1)) * frame.tall;

/** Draw a plot; returns its geometry. */
function drawPlot(plot, pen, width, height) {
  const frame = layOut(plot, pen, width, height);
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.lineWidth = 1;
  if (plot.kind === "polar") drawPolarAxes(plot, pen, frame);
  else drawAxes(plot, pen, frame);
  pen.save();
  pen.beginPath();
  pen.rect(frame.left, frame.top, frame.wide, frame.tall);
  pen.clip();
  pen.lineWidth = 1.5;
  pen.lineJoin = "round";
  for (const curve of plot.curves) if (curve.shown) drawCurve(pen, frame, curve);
  pen.restore();
  if (frame.rounding) {
    const most = Math.max(...plot.curves.filter(({ shown }) => shown).map(({ rounding }) => rounding));
    pen.fillStyle = ink("soft");
    pen.textAlign = "center";
    pen.fillText(`zero to rounding: at most ${short(most)} ${plot.unit === "1" ? "" : pretty(plot.unit)}`, frame.left + 0.5 * frame.wide, frame.top + 14);
  }
  return frame;
}

function drawAxes(plot, pen, frame) {
  const { left, top, wide, tall, width, height, xMarks, yMarks } = frame;
  pen.strokeStyle = ink("plot-grid");
  pen.fillStyle = ink("soft");
  pen.textAlign = "right";
  yMarks.values.forEach((value, k) => {
    const y = Math.round(toY(frame, value)) + 0.5;
    rule(pen, left, y, left + wide, y);
    pen.fillText(yMarks.texts[k], left - 5, y);
  });
  pen.textAlign = "center";
  xMarks.values.forEach((value, k) => {
    const x = Math.round(toX(frame, value)) + 0.5, half = pen.measureText(xMarks.texts[k]).width / 2;
    rule(pen, x, top, x, top + tall);
    pen.fillText(xMarks.texts[k], Math.min(x, width - 1 - half), height - 9);
  });
  pen.strokeStyle = ink("grid-strong");
  if (frame.y[0] < 0 && frame.y[1] > 0) rule(pen, left, Math.round(toY(frame, 0)) + 0.5, left + wide, Math.round(toY(frame, 0)) + 0.5);
  if (plot.kind === "xy" && frame.x[0] < 0 && frame.x[1] > 0) rule(pen, Math.round(toX(frame, 0)) + 0.5, top, Math.round(toX(frame, 0)) + 0.5, top + tall);
  pen.textAlign = "left";
  pen.fillText(unitWords(plot.unit, yMarks.power10), 2, 8);
  pen.textAlign = "right";
  pen.fillText(plot.kind === "time" ? "t [s]" : `${plot.titleX} ${unitWords(plot.unitX, xMarks.power10)}`, left + wide, 8);
}

/** Circles with their values, spokes every 30 degrees, and the names of the two directions. */
function drawPolarAxes(plot, pen, frame) {
  const { centre: [cx, cy], half, radius, xMarks } = frame;
  pen.strokeStyle = ink("plot-grid");
  for (let k = 0; k < 12; k += 1) {
    const c = Math.cos((k * Math.PI) / 6), s = Math.sin((k * Math.PI) / 6);
    rule(pen, cx, cy, cx + half * c, cy - half * s);
  }
  const rings = xMarks.values.filter((value) => value > 0);
  for (const value of rings) {
    pen.beginPath();
    pen.arc(cx, cy, (half * value) / radius, 0, 7);
    pen.stroke();
  }
  pen.strokeStyle = ink("grid-strong");
  rule(pen, cx - half, cy, cx + half, cy);
  rule(pen, cx, cy - half, cx, cy + half);
  pen.fillStyle = ink("soft");
  pen.textAlign = "left";
  xMarks.values.forEach((value, k) => {
    if (value > 0) pen.fillText(xMarks.texts[k], cx + ((half * value) / radius) * 0.26 + 2, cy - ((half * value) / radius) * 0.966);
  });
  const [first, second] = plot.curves[0]?.axes || ["", ""];
  pen.fillText(first, cx + half + 6, cy);
  pen.textAlign = "center";
  pen.fillText(second, cx, 12);
  pen.textAlign = "left";
  pen.fillText(unitWords(plot.unit, xMarks.power10), 2, 8);
}

function drawCurve(pen, frame, { x, y, colour, dash, rounding, dots }) {
  if (dots) {
    pen.fillStyle = colour;
    for (let k = 0; k < x.length; k += 1) {
      pen.beginPath();
      pen.arc(toX(frame, x[k]), toY(frame, y[k]), DOT, 0, 7);
      pen.fill();
    }
    return;
  }
  pen.strokeStyle = colour;
  pen.setLineDash(dash);
  pen.beginPath();
  let up = true;
  for (let k = 0; k < x.length; k += 1) {
    if (!Number.isFinite(y[k]) || !Number.isFinite(x[k])) {
      up = true;
      continue;
    }
    const h = frame.rounding && rounding !== undefined ? 0 : y[k];
    if (up) pen.moveTo(toX(frame, x[k]), toY(frame, h));
    else pen.lineTo(toX(frame, x[k]), toY(frame, h));
    up = false;
  }
  pen.stroke();
  pen.setLineDash([]);
}

/** kg m^2/s as kg m²/s. */
function pretty(unit) {
  return unit.replace(/\^2/g, "²").replace(/\^3/g, "³");
}

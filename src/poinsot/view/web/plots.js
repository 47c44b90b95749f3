/* One plot: curves over time on a canvas, with axes, a cursor at the time of the page, and a zero line. */

class Plot {
  /** `onTime(t)` is called when the plot is clicked or dragged. */
  constructor(canvas, span, onTime) {
    Object.assign(this, { canvas, span, curves: [], unit: "", time: span[0] });
    this.pen = canvas.getContext("2d");
    const seek = (event) => {
      const box = canvas.getBoundingClientRect();
      const f = (event.clientX - box.left - this.left) / Math.max(this.wide, 1);
      onTime(mix(span[0], span[1], Math.min(Math.max(f, 0), 1)));
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) seek(event);
    });
  }

  /** Curves: [{t, y, colour, dash, shown}]. */
  show(curves, unit) {
    this.curves = curves;
    this.unit = unit;
    this.redraw();
  }

  setTime(time) {
    this.time = time;
    this.compose();
  }

  /** Minimum and maximum of the visible curves, with a margin; a constant curve gets an interval around it. */
  range() {
    let low = Infinity, high = -Infinity;
    for (const { y, shown } of this.curves) {
      if (!shown) continue;
      for (const value of y) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (!(low <= high)) return [0, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= 1e-6 * size || high === low) return size > 0 ? [low - 0.1 * size, high + 0.1 * size] : [-1, 1];
    const room = 0.06 * (high - low);
    return [low - room, high + room];
  }

  /** Draw axes and curves once, to an image over which the cursor is drawn. */
  redraw() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (width === 0 || height === 0) return;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.picture = this.picture || document.createElement("canvas");
    this.picture.width = this.canvas.width;
    this.picture.height = this.canvas.height;
    const pen = this.picture.getContext("2d");
    pen.scale(ratio, ratio);
    this.ratio = ratio;
    this.axes(pen, width, height);
    pen.save();
    pen.beginPath();
    pen.rect(this.left, this.top, this.wide, this.tall);
    pen.clip();
    pen.lineWidth = 1.5;
    pen.lineJoin = "round";
    for (const curve of this.curves) if (curve.shown) this.line(pen, curve);
    pen.restore();
    this.compose();
  }

  axes(pen, width, height) {
    pen.font = "11px system-ui, sans-serif";
    const [low, high] = this.range();
    const power10 = commonPower(Math.max(Math.abs(low), Math.abs(high)));
    const factor = 10 ** power10;
    this.low = low;
    this.high = high;
    const marks = ticks(low / factor, high / factor, Math.max(2, Math.floor(height / 36)));
    const texts = marks.values.map((value) => fixed(value, marks.step));
    this.left = Math.ceil(Math.max(...texts.map((text) => pen.measureText(text).width), 18)) + 10;
    this.top = 20;
    this.wide = width - this.left - 10;
    this.tall = height - this.top - 20;
    const times = ticks(this.span[0], this.span[1], Math.max(2, Math.floor(this.wide / 70)));
    pen.strokeStyle = ink("plot-grid");
    pen.fillStyle = ink("soft");
    pen.lineWidth = 1;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    marks.values.forEach((value, k) => {
      const y = Math.round(this.y(value * factor)) + 0.5;
      rule(pen, this.left, y, this.left + this.wide, y);
      pen.fillText(texts[k], this.left - 5, y);
    });
    pen.textAlign = "center";
    for (const value of times.values) {
      const x = Math.round(this.x(value)) + 0.5;
      rule(pen, x, this.top, x, this.top + this.tall);
      const text = fixed(value, times.step), half = pen.measureText(text).width / 2;
      pen.fillText(text, Math.min(x, width - 1 - half), height - 9);
    }
    if (low < 0 && high > 0) {
      pen.strokeStyle = ink("grid-strong");
      rule(pen, this.left, Math.round(this.y(0)) + 0.5, this.left + this.wide, Math.round(this.y(0)) + 0.5);
    }
    pen.textAlign = "left";
    const times10 = power10 === 0 ? "" : power(`1e${power10}`).slice(2);
    const unit = this.unit === "1" ? "" : pretty(this.unit);
    pen.fillText([times10, unit].filter(Boolean).join(" ") && `[${[times10, unit].filter(Boolean).join(" ")}]`, 2, 8);
    pen.textAlign = "right";
    pen.fillText("t [s]", this.left + this.wide, 8);
  }

  line(pen, { t, y, colour, dash }) {
    pen.strokeStyle = colour;
    pen.setLineDash(dash);
    pen.beginPath();
    let up = true;
    for (let k = 0; k < t.length; k += 1) {
      if (!Number.isFinite(y[k])) {
        up = true;
        continue;
      }
      if (up) pen.moveTo(this.x(t[k]), this.y(y[k]));
      else pen.lineTo(this.x(t[k]), this.y(y[k]));
      up = false;
    }
    pen.stroke();
    pen.setLineDash([]);
  }

  /** The image, and over it the cursor with a dot on every curve. */
  compose() {
    if (!this.picture) return;
    const pen = this.pen;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.picture, 0, 0);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    const x = this.x(this.time);
    pen.strokeStyle = ink("ink");
    pen.globalAlpha = 0.55;
    pen.lineWidth = 1;
    rule(pen, x, this.top, x, this.top + this.tall);
    pen.globalAlpha = 1;
    for (const curve of this.curves) {
      if (!curve.shown) continue;
      const y = this.y(valueAt(curve, this.time));
      pen.fillStyle = curve.colour;
      pen.beginPath();
      pen.arc(x, y, 2.6, 0, 7);
      pen.fill();
    }
  }

  x(t) {
    return this.left + ((t - this.span[0]) / (this.span[1] - this.span[0] || 1)) * this.wide;
  }

  y(value) {
    return this.top + (1 - (value - this.low) / (this.high - this.low)) * this.tall;
  }
}

function rule(pen, x1, y1, x2, y2) {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}

/** kg m^2/s as kg m²/s. */
function pretty(unit) {
  return unit.replace(/\^2/g, "²").replace(/\^3/g, "³");
}

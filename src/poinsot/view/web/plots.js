/* One plot on a canvas: curves with a cursor at the time of the page; zoomed, moved and read with the pointer. */

const GRAB = 7; // pixels: how near to the cursor a drag moves it
const MOVED = 4; // pixels: a pointer that moves less has clicked

class Plot {
  /** `events`: onTime(t) when a time is chosen, onWindow(interval or null) when the time axis is zoomed, onZoom() after any zoom. */
  constructor(canvas, span, events) {
    Object.assign(this, { canvas, span, events, kind: "time", curves: [], unit: "", unitX: "s", titleX: "t", time: span[0], zoom: { x: null, y: null }, band: null });
    this.pen = canvas.getContext("2d");
    this.dot = { x: 0, y: 0 };
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", () => this.cancel());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", () => this.reset());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Show curves: {kind, curves: [{t, x, y, colour, dash, shown}], unit, unitX, titleX}. */
  show(what) {
    Object.assign(this, what);
    this.redraw();
  }

  setTime(time) {
    this.time = time;
    this.compose();
  }

  get zoomed() {
    return Boolean(this.zoom.x || this.zoom.y || this.zoom.r);
  }

  reset() {
    this.zoom = { x: null, y: null };
    if (this.kind === "time") this.events.onWindow(null);
    this.redraw();
    this.events.onZoom();
  }

  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** Values of both axes at a place. */
  values([px, py]) {
    const { left, top, wide, tall, x, y } = this.frame;
    return [mix(x[0], x[1], (px - left) / wide), mix(y[1], y[0], (py - top) / tall)];
  }

  press(event) {
    if (!this.frame) return;
    const at = this.place(event);
    this.canvas.setPointerCapture(event.pointerId);
    const timed = this.kind === "time", onCursor = Math.abs(at[0] - toX(this.frame, this.time)) <= GRAB;
    let doing = "box";
    if (event.shiftKey || event.button > 0) doing = "pan";
    else if (timed && (event.pointerType === "touch" || onCursor || at[1] > this.frame.top + this.frame.tall)) doing = "seek";
    else if (this.kind === "polar") doing = "click";
    this.drag = { doing, at, x: [...this.frame.x], y: [...this.frame.y] };
    if (doing === "seek") this.seek(at);
  }

  move(event) {
    if (!this.drag) return;
    const at = this.place(event), { doing, at: from, x, y } = this.drag;
    if (doing === "seek") this.seek(at);
    if (doing === "box") {
      this.band = Math.hypot(at[0] - from[0], at[1] - from[1]) > MOVED ? [from, at] : null;
      this.compose();
    }
    if (doing === "pan" && this.kind !== "polar") {
      const dx = ((from[0] - at[0]) / this.frame.wide) * (x[1] - x[0]), dy = ((at[1] - from[1]) / this.frame.tall) * (y[1] - y[0]);
      this.apply([x[0] + dx, x[1] + dx], this.zoom.y || Math.abs(at[1] - from[1]) > MOVED ? [y[0] + dy, y[1] + dy] : null);
    }
  }

  release(event) {
    if (!this.drag) return;
    const { doing, at: from } = this.drag, at = this.place(event), band = this.band;
    this.cancel();
    if (doing === "box" && band) this.zoomTo(from, at);
    else if (doing === "box" || doing === "click") this.seek(at);
  }

  cancel() {
    this.drag = null;
    this.band = null;
    this.compose();
  }

  /** Zoom to a rectangle; a flat one zooms along one axis only. */
  zoomTo(from, at) {
    const [a, b] = [this.values(from), this.values(at)], thin = 12;
    const x = Math.abs(at[0] - from[0]) > thin ? [Math.min(a[0], b[0]), Math.max(a[0], b[0])] : this.zoom.x;
    const y = Math.abs(at[1] - from[1]) > thin ? [Math.min(a[1], b[1]), Math.max(a[1], b[1])] : this.zoom.y;
    this.apply(x, y);
  }

  /** The wheel zooms a plot that was clicked before, or with ctrl; otherwise the page scrolls. With shift only the vertical axis. */
  wheel(event) {
    if (!this.frame || !(event.ctrlKey || document.activeElement === this.canvas)) return;
    event.preventDefault();
    const factor = Math.exp(0.0015 * (event.deltaY || event.deltaX)), [vx, vy] = this.values(this.place(event));
    if (this.kind === "polar") {
      this.zoom = { x: null, y: null, r: this.frame.radius * factor };
      this.redraw();
      this.events.onZoom();
      return;
    }
    const about = (range, v) => [v + factor * (range[0] - v), v + factor * (range[1] - v)];
    const both = this.kind === "xy";
    this.apply(event.shiftKey ? this.zoom.x : about(this.frame.x, vx), event.shiftKey || both ? about(this.frame.y, vy) : this.zoom.y);
  }

  apply(x, y) {
    let wide = x;
    if (x && this.kind === "time") { // the time axis does not leave the run
      const size = Math.min(x[1] - x[0], this.span[1] - this.span[0]), low = Math.min(Math.max(x[0], this.span[0]), this.span[1] - size);
      wide = size < (1 - 1e-9) * (this.span[1] - this.span[0]) ? [low, low + size] : null;
    }
    this.zoom = { x: wide, y };
    if (this.kind === "time") this.events.onWindow(wide);
    this.redraw();
    this.events.onZoom();
  }

  /** The time at a place: of the axis, or of the nearest point of a curve. */
  seek(at) {
    if (this.kind === "time") {
      this.events.onTime(Math.min(Math.max(this.values(at)[0], this.span[0]), this.span[1]));
      return;
    }
    let best = Infinity, time = null;
    for (const curve of this.curves) {
      if (!curve.shown) continue;
      for (let k = 0; k < curve.t.length; k += 1) {
        const away = Math.hypot(toX(this.frame, curve.x[k]) - at[0], toY(this.frame, curve.y[k]) - at[1]);
        if (away < best) [best, time] = [away, curve.t[k]];
      }
    }
    if (time !== null) this.events.onTime(time);
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
    this.frame = drawPlot(this, pen, width, height);
    this.ink = ink("ink");
    Object.assign(this, { left: this.frame.left, wide: this.frame.wide, low: this.frame.y[0], high: this.frame.y[1] });
    this.compose();
  }

  /** The image, and over it the cursor with a dot on every curve, and the rectangle being drawn. */
  compose() {
    if (!this.picture || !this.frame) return;
    const { pen, frame } = this, { left, top, wide, tall } = frame;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.picture, 0, 0);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.save();
    pen.beginPath();
    pen.rect(left - 3, top - 3, wide + 6, tall + 6);
    pen.clip();
    pen.strokeStyle = this.ink;
    pen.globalAlpha = 0.55;
    pen.lineWidth = 1;
    const x = toX(frame, this.time);
    if (this.kind === "time") rule(pen, x, top, x, top + tall);
    pen.globalAlpha = 1;
    for (const curve of this.curves) {
      if (!curve.shown || curve.t.length === 0) continue;
      placeAt(curve, this.time, this.dot);
      const px = this.kind === "time" ? x : toX(frame, this.dot.x), py = toY(frame, frame.rounding ? 0 : this.dot.y);
      if (this.kind === "polar") rule(pen, ...frame.centre, px, py);
      pen.fillStyle = curve.colour;
      pen.beginPath();
      pen.arc(px, py, this.kind === "time" ? 2.6 : 4, 0, 7);
      pen.fill();
    }
    if (this.band) {
      const [[ax, ay], [bx, by]] = this.band;
      pen.globalAlpha = 0.15;
      pen.fillStyle = this.ink;
      pen.fillRect(Math.min(ax, bx), Math.min(ay, by), Math.abs(bx - ax), Math.abs(by - ay));
    }
    pen.restore();
  }
}

/* A pen that writes SVG: it has the methods of a canvas's pen that plots use, so that a plot is drawn once, for both. */

class SvgPen {
  constructor(width, height, background) {
    Object.assign(this, { width, height, strokeStyle: "#000", fillStyle: "#000", lineWidth: 1, textAlign: "left", textBaseline: "alphabetic", globalAlpha: 1, font: "11px sans-serif" });
    this.parts = [`<rect width="${width}" height="${height}" fill="${background}"/>`];
    this.path = "";
    this.dash = [];
    this.clips = 0;
    this.open = 0;
    this.stack = [];
    this.ruler = document.createElement("canvas").getContext("2d");
  }

  measureText(text) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }

  save() {
    this.stack.push(this.open);
  }

  restore() {
    for (const wanted = this.stack.pop(); this.open > wanted; this.open -= 1) this.parts.push("</g>");
  }

  beginPath() {
    this.path = "";
  }

  moveTo(x, y) {
    this.path += `M${digits(x)} ${digits(y)}`;
  }

  lineTo(x, y) {
    this.path += `L${digits(x)} ${digits(y)}`;
  }

  rect(x, y, w, h) {
    this.path += `M${digits(x)} ${digits(y)}h${digits(w)}v${digits(h)}h${digits(-w)}z`;
  }

  /** A full circle. */
  arc(x, y, r) {
    this.path += `M${digits(x - r)} ${digits(y)}a${digits(r)} ${digits(r)} 0 1 0 ${digits(2 * r)} 0a${digits(r)} ${digits(r)} 0 1 0 ${digits(-2 * r)} 0z`;
  }

  clip() {
    this.clips += 1;
    this.open += 1;
    this.parts.push(`<clipPath id="clip${this.clips}"><path d="${this.path}"/></clipPath><g clip-path="url(#clip${this.clips})">`);
  }

  setLineDash(dash) {
    this.dash = dash;
  }

  stroke() {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    this.parts.push(`<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" stroke-opacity="${this.globalAlpha}" stroke-linejoin="round"${dash}/>`);
  }

  fill() {
    this.parts.push(`<path d="${this.path}" fill="${this.fillStyle}" fill-opacity="${this.globalAlpha}"/>`);
  }

  fillText(text, x, y) {
    const anchor = { left: "start", center: "middle", right: "end" }[this.textAlign], down = this.textBaseline === "middle" ? 4 : 0;
    this.parts.push(`<text x="${digits(x)}" y="${digits(y + down)}" text-anchor="${anchor}" fill="${this.fillStyle}">${escaped(text)}</text>`);
  }

  /** The picture as text. */
  finish() {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}" font-family="system-ui, sans-serif" font-size="11">${this.parts.join("")}</svg>\n`;
  }
}

function digits(x) {
  return Number(x.toFixed(2));
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
}

function rule(pen, x1, y1, x2, y2) {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}

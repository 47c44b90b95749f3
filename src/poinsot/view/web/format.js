/* Number formats, axis ticks and colours. */

const CURVES = ["#3a6ea5", "#cf7a2c", "#3c8f6b", "#b04a5a", "#7b62a8", "#8a7a35", "#2f8f9d", "#a35c8f"];
const CURVES_DARK = ["#79aee0", "#e8a35c", "#6cc39b", "#e0808f", "#b39ddb", "#c9b667", "#66c2cf", "#d592c2"];
const SOLIDS = [0x7f9bb8, 0xc9a36a, 0x8fae8b, 0xb98a86, 0x9a91bb, 0xb3ab84, 0x79a7ab, 0xb590a8];
const TINTS = [0x4a7fb5, 0xd08a3e, 0x56997a, 0xb5606e, 0x8a74b8, 0x9c8d45, 0x459aa8, 0xab6b99];
const DASHES = [[], [6, 4], [2, 3], [9, 3, 2, 3], [1, 3], [12, 4], [4, 2, 1, 2], [8, 8]];

/** A step of 1, 2 or 5 times a power of ten, close to x. */
function niceStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const f = x / power;
  return power * (f < 1.5 ? 1 : f < 3.5 ? 2 : f < 7.5 ? 5 : 10);
}

/** Round values in an interval, about as many as requested. */
function ticks(low, high, wanted) {
  const step = niceStep((high - low) / Math.max(wanted, 1));
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) found.push(k * step);
  return { step, values: found };
}

/** A number with as many decimals as a step needs. */
function fixed(x, step) {
  const decimals = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
  const text = x.toFixed(decimals);
  return (Number(text) === 0 ? (0).toFixed(decimals) : text).replace("-", "\u2212");
}

/** A number with a few digits; values negligible on the scale of the plot are 0. */
function short(x, scale = 0) {
  if (!Number.isFinite(x)) return "\u2013";
  if (x === 0 || Math.abs(x) < 1e-13 * scale) return "0";
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return power(x.toExponential(2));
  return Number(x.toPrecision(4)).toString().replace("-", "\u2212");
}

/** 1.2e-7 as 1.2·10⁻⁷. */
function power(text) {
  const [digits, exponent] = text.split("e");
  const raised = Number(exponent).toString().replace(/./g, (c) => (c === "-" ? "\u207b" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]));
  return `${digits.replace("-", "\u2212")}·10${raised}`;
}

/** Common exponent of ten of an axis, a multiple of three; 0 if not needed. */
function commonPower(largest) {
  if (largest === 0) return 0;
  const exponent = Math.floor(Math.log10(largest));
  return exponent >= 5 || exponent <= -3 ? 3 * Math.floor(exponent / 3) : 0;
}

const inks = new Map();

/** Value of a colour of the style sheet; read once per theme. */
function ink(name) {
  if (!inks.has(name)) inks.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return inks.get(name);
}

/** To be called when the theme changes. */
function forgetInk() {
  inks.clear();
}

function isDark() {
  return document.documentElement.dataset.theme === "dark";
}

function curveColour(k) {
  const list = isDark() ? CURVES_DARK : CURVES;
  return list[k % list.length];
}

/** An element with attributes and text; text is never read as markup. */
function element(tag, attributes = {}, text = "") {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}

/* The plots beside the scene: one card each, with what it shows, over what, and a legend. */

class Panels {
  constructor(box, onTime) {
    Object.assign(this, { box, onTime, cards: [], time: 0, window: null, runs: [] });
    let width = 0;
    new ResizeObserver(() => { // reacts to the width: legends may wrap as their numbers change
      if (box.clientWidth !== width) this.redraw();
      width = box.clientWidth;
    }).observe(box);
  }

  /** Show results of runs, in place of those that are shown; plots of what is still there stay. */
  load(groups, runs, span) {
    const all = [...groups, ...derivedGroups(groups, runs)], keys = (list) => list.map(({ key }) => key).join("\n");
    if (this.groups && keys(all) === keys(this.groups)) { // the same results with other numbers: zoom and hidden curves stay as well
      Object.assign(this, { groups: all, runs, span, time: Math.min(Math.max(this.time, span[0]), span[1]) });
      this.catalogue = catalogueOf(all, runs);
      for (const card of this.cards) {
        card.group = all.find(({ key }) => key === card.key);
        card.axis = overAxis(card.over, card.group, this.catalogue);
      }
      this.redraw();
      return;
    }
    const kept = this.cards.map(({ key, over }) => ({ key, over }));
    for (const card of [...this.cards]) this.remove(card);
    this.picked = null;
    Object.assign(this, { groups: all, runs, span, time: span[0], window: null });
    this.catalogue = catalogueOf(all, runs);
    const shown = groups.filter((group) => group.shown).sort((a, b) => a.shown - b.shown);
    const first = (shown.length ? shown.slice(0, 6) : groups.slice(0, 1)).map(({ key }) => ({ key }));
    const there = kept.filter(({ key }) => this.groups.some((group) => group.key === key));
    for (const { key, over } of there.length ? there : first) this.add(key, over);
  }

  /** Add a plot, of a group that is not shown yet unless a key selects one. */
  add(key, over, first = false) {
    if (!this.groups.length) return null;
    const used = new Set(this.cards.map((card) => card.key));
    const free = this.groups.find((group) => !used.has(group.key)) || this.groups[0];
    const card = new Card(this);
    this.cards.push(card);
    if (first) this.box.prepend(card.root);
    else this.box.append(card.root);
    card.choose(key || free.key, over);
    return card;
  }

  remove(card) {
    this.cards = this.cards.filter((other) => other !== card);
    if (this.picked === card) this.picked = null;
    card.root.remove();
  }

  /** Show the results of an element in a card of their own, the first; null removes it. */
  showElement(name) {
    const of = this.groups.filter(({ section }) => section === name);
    if (name === null || !of.length) {
      if (this.picked) this.remove(this.picked);
      return null;
    }
    const wanted = this.picked ? this.picked.group.key.slice(this.picked.group.section.length) : ".com";
    const group = of.find(({ key }) => key === name + wanted) || of.find(({ key }) => key === `${name}.com`) || of[0];
    if (!this.picked) this.picked = this.add(group.key, undefined, true);
    else this.picked.choose(group.key);
    this.picked.offer(name, of);
    return this.picked;
  }

  /** The interval of time that all plots over time show; null: all of it. */
  setWindow(window, source) {
    this.window = window;
    for (const card of this.cards) {
      if (card === source || card.plot.kind !== "time") continue;
      card.plot.zoom = { x: window, y: window ? card.plot.zoom.y : null };
      card.plot.redraw();
      card.marked();
    }
  }

  setTime(time) {
    this.time = time;
    for (const card of this.cards) card.setTime(time);
  }

  redraw() {
    for (const card of this.cards) card.refresh();
  }
}

const STEEP = 0.02; // of the height of a plot, between neighbouring points

class Card {
  constructor(panels) {
    Object.assign(this, { panels, key: "", over: "time", hidden: new Set() });
    this.root = element("section", { class: "card plot", "aria-label": "Plot" });
    const head = element("div", { class: "plot-head" });
    this.title = element("button", { type: "button", class: "what", title: "Choose what this plot shows" });
    this.across = element("button", { type: "button", class: "over", title: "Choose the horizontal axis" });
    this.back = tool("Reset the zoom of this plot", "⤢", () => this.plot.reset());
    this.back.hidden = true;
    const more = element("details", { class: "menu" });
    more.append(element("summary", { "aria-label": "Save this plot", title: "Save this plot" }, "⤓"), element("div"));
    const entry = (text, act) => {
      const button = element("button", { type: "button" }, text);
      button.addEventListener("click", () => {
        more.open = false;
        act();
      });
      more.lastChild.append(button);
    };
    entry("Picture (SVG)", () => saveSvg(this));
    entry("Numbers (CSV)", () => saveCsv(this));
    head.append(this.title, element("span", { class: "fine" }, "over"), this.across, this.back, more, tool("Remove this plot", "×", () => panels.remove(this)));
    this.chips = element("div", { class: "chips", role: "group", "aria-label": "Results of the selected body" });
    this.chips.hidden = true;
    this.canvas = element("canvas", { role: "img", tabindex: "0", title: "Click: time. Drag: zoom. Shift-drag: move. Wheel (after a click): zoom. Double click: all." });
    this.legend = element("div", { class: "legend", role: "group", "aria-label": "Curves" });
    this.root.append(head, this.chips, this.canvas, this.legend);
    this.picker = new ResultPicker(this.title, () => panels.groups, (key) => this.choose(key));
    this.overPicker = new ResultPicker(this.across, () => overChoices(this.group, panels.catalogue), (over) => this.choose(this.key, over));
    this.plot = new Plot(this.canvas, panels.span, {
      onTime: panels.onTime,
      onWindow: (window) => panels.setWindow(window, this),
      onZoom: () => this.marked(),
    });
  }

  /** Show a group of quantities of all runs, over time or over something else; see `readOver`. */
  choose(key, over) {
    this.key = key;
    this.group = this.panels.groups.find((group) => group.key === key);
    this.over = over || this.group.over || (this.over.startsWith("polar") ? "time" : this.over);
    this.hidden.clear();
    this.plot.zoom = { x: this.over === "time" ? this.panels.window : null, y: null };
    this.axis = overAxis(this.over, this.group, this.panels.catalogue);
    if (this.axis.key === "time") this.over = "time";
    this.title.textContent = this.group.title + (this.group.unit === "1" || !this.group.unit ? "" : ` [${pretty(this.group.unit)}]`);
    this.across.textContent = this.axis.words;
    this.canvas.setAttribute("aria-label", `${this.group.title} over ${this.across.textContent}`);
    this.canvas.classList.toggle("square", this.over !== "time");
    for (const chip of this.chips.children) chip.setAttribute("aria-pressed", String(chip.dataset.key === key));
    this.refresh();
    this.marked();
  }

  /** Buttons for all results of an element. */
  offer(name, groups) {
    this.chips.replaceChildren(...groups.map(({ key, title }) => {
      const short = title.replace(` of ${name}`, "");
      const chip = element("button", { type: "button", "data-key": key, "aria-pressed": String(key === this.key) }, short);
      chip.addEventListener("click", () => this.choose(key));
      return chip;
    }));
    this.chips.hidden = false;
  }

  /** Show the button that resets the zoom when there is something to reset. */
  marked() {
    this.back.hidden = !this.plot.zoomed;
  }

  /** Rebuild the curves of the visible runs, in the colours of the theme. */
  refresh() {
    const names = new Map(), several = this.panels.runs.length > 1, over = readOver(this.over);
    this.curves = curvesFor(this.group, over, this.panels.runs).map((curve) => {
      const name = this.called(curve.quantity, curve.part);
      if (!names.has(name)) names.set(name, names.size);
      const dash = several ? DASHES[curve.run.index % DASHES.length] : [];
      return { ...curve, name, colour: curveColour(names.get(name)), dash, shown: curve.run.visible && !this.hidden.has(name) };
    });
    this.entries([...names.keys()]);
    Object.assign(this.plot, { time: this.panels.time, span: this.panels.span });
    this.plot.show({ kind: over.kind, curves: this.curves, unit: this.group.unit, unitX: this.axis.unit, titleX: this.axis.title });
    this.setTime(this.panels.time);
  }

  /** Name of a curve in the legend: its quantity where there are several, and its component. */
  called(quantity, part) {
    const few = this.group.of.length === 1;
    const owner = quantity.includes(".") ? quantity.slice(0, quantity.lastIndexOf(".")) : part.label;
    if (few) return part.name || part.label;
    return part.name ? `${owner} ${part.name}` : owner;
  }

  entries(names) {
    if (this.names && this.names.join("\n") === names.join("\n")) return this.colour();
    this.names = names;
    this.legend.replaceChildren();
    this.buttons = names.map((name) => {
      const button = element("button", { type: "button" });
      const text = element("span", {}, name), value = element("span", { class: "value" });
      button.append(element("i"), text, value);
      button.addEventListener("click", () => {
        if (this.hidden.has(name)) this.hidden.delete(name);
        else this.hidden.add(name);
        this.refresh();
      });
      this.legend.append(button);
      return { name, button, value };
    });
    return this.colour();
  }

  colour() {
    this.buttons.forEach(({ name, button }, k) => {
      button.setAttribute("aria-pressed", String(!this.hidden.has(name)));
      button.querySelector("i").style.color = curveColour(k);
    });
  }

  /** The value of a curve at a place in words. Where outputs near it were left out, and the curve is steep: the values between which it is. */
  told(curve, { x, y, t, ends, about }, size) {
    const polar = this.plot.kind === "polar", value = curve.rounding !== undefined ? 0 : polar ? Math.hypot(x, y) : y;
    if (!about || value === 0) return short(value, size);
    if (curve.dots) return `${short(value, size)} at ${t.toPrecision(5)} s`;
    const [a, b] = ends.map((k) => (polar ? Math.hypot(curve.x[k], curve.y[k]) : curve.y[k])).sort((p, q) => p - q);
    return b - a > STEEP * size ? `${short(a, size)} … ${short(b, size)}` : `≈ ${short(value, size)}`;
  }

  /** Move the cursor and show the values there. */
  setTime(time) {
    this.plot.setTime(time);
    const size = this.plot.frame ? this.plot.frame.y[1] - this.plot.frame.y[0] : 0;
    for (const { name, value } of this.buttons) {
      let words = "";
      for (const curve of this.curves) {
        if (curve.name !== name || !curve.shown || !curve.t.length) continue;
        words += (words ? " / " : "") + this.told(curve, placeAt(curve, time, this.plot.dot), size);
      }
      if (value.textContent !== words) value.textContent = words;
    }
  }
}

function tool(label, text, act) {
  const button = element("button", { type: "button", "aria-label": label, title: label }, text);
  button.addEventListener("click", act);
  return button;
}

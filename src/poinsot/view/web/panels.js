/* The plots beside the scene: one card each, with a selector and a legend. */

class Panels {
  constructor(box, groups, runs, span, onTime) {
    Object.assign(this, { box, groups, runs, span, onTime, cards: [], time: span[0] });
    const shown = groups.filter((group) => group.shown).sort((a, b) => a.shown - b.shown);
    for (const group of shown.length ? shown.slice(0, 6) : groups.slice(0, 1)) this.add(group.key);
    let width = 0;
    new ResizeObserver(() => { // reacts to the width: legends may wrap as their numbers change
      if (box.clientWidth !== width) this.redraw();
      width = box.clientWidth;
    }).observe(box);
  }

  /** Add a plot, of a group that is not shown yet unless a key selects one. */
  add(key) {
    const used = new Set(this.cards.map((card) => card.key));
    const free = this.groups.find((group) => !used.has(group.key)) || this.groups[0];
    const card = new Card(this, key || free.key);
    this.cards.push(card);
    this.box.append(card.root);
    card.choose(card.key);
    return card;
  }

  remove(card) {
    this.cards = this.cards.filter((other) => other !== card);
    card.root.remove();
  }

  setTime(time) {
    this.time = time;
    for (const card of this.cards) card.setTime(time);
  }

  redraw() {
    for (const card of this.cards) card.refresh();
  }
}

class Card {
  constructor(panels, key) {
    Object.assign(this, { panels, key, hidden: new Set() });
    this.root = element("section", { class: "card plot", "aria-label": "Plot" });
    const head = element("div", { class: "plot-head" });
    this.select = chooser(panels.groups);
    this.select.addEventListener("change", () => this.choose(this.select.value));
    const close = element("button", { type: "button", "aria-label": "Remove this plot", title: "Remove this plot" }, "×");
    close.addEventListener("click", () => panels.remove(this));
    head.append(this.select, close);
    this.canvas = element("canvas", { role: "img" });
    this.legend = element("div", { class: "legend", role: "group", "aria-label": "Curves" });
    this.root.append(head, this.canvas, this.legend);
    this.plot = new Plot(this.canvas, panels.span, panels.onTime);
  }

  /** Show a group of quantities of all runs. */
  choose(key) {
    this.key = this.select.value = key;
    this.group = this.panels.groups.find((group) => group.key === key);
    this.hidden.clear();
    this.canvas.setAttribute("aria-label", `${this.group.title} over time`);
    this.refresh();
  }

  /** Rebuild the curves of the visible runs, in the colours of the theme. */
  refresh() {
    const names = new Map(), several = this.panels.runs.length > 1;
    const curves = [];
    for (const run of this.panels.runs) {
      for (const quantity of this.group.of) {
        for (const part of run.curvesOf(quantity)) {
          const name = this.called(quantity, part);
          if (!names.has(name)) names.set(name, names.size);
          const colour = curveColour(names.get(name));
          curves.push({ ...part, name, run, colour, dash: several ? DASHES[run.index % DASHES.length] : [], shown: run.visible && !this.hidden.has(name) });
        }
      }
    }
    this.curves = curves;
    this.entries([...names.keys()]);
    this.plot.time = this.panels.time;
    this.plot.show(curves, this.group.unit);
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

  /** Move the cursor and show the values there. */
  setTime(time) {
    this.plot.setTime(time);
    for (const { name, value } of this.buttons) {
      const here = this.curves.filter((curve) => curve.name === name && curve.shown).map((curve) => short(valueAt(curve, time), this.plot.high - this.plot.low));
      value.textContent = here.join(" / ");
    }
  }
}

/** A selector of groups, by section. */
function chooser(groups) {
  const select = element("select", { "aria-label": "What this plot shows" });
  const sections = new Map();
  for (const group of groups) {
    if (!sections.has(group.section)) {
      const section = element("optgroup", { label: group.section });
      sections.set(group.section, section);
      select.append(section);
    }
    const unit = group.unit === "1" || !group.unit ? "" : ` [${pretty(group.unit)}]`;
    sections.get(group.section).append(element("option", { value: group.key }, group.title + unit));
  }
  return select;
}

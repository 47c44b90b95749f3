/* A live page: sliders post their values to the server of this page, and the run that comes back replaces the one that is shown. */

const PATIENCE = 500; // ms: a run that takes longer is superseded by newer values

/** One slider: a range and a field for its number. */
class Slider {
  constructor(data, changed) {
    Object.assign(this, data, { start: data.value, value: data.value });
    const id = `slider ${data.name}`;
    this.root = element("div", { class: "slider" });
    const label = element("label", { for: id }, data.name);
    if (data.unit) label.append(" ", element("span", {}, `[${pretty(data.unit)}]`));
    const limits = { min: data.low, max: data.high, autocomplete: "off" };
    this.range = element("input", { ...limits, type: "range", step: data.step, id });
    this.field = element("input", { ...limits, type: "number", step: "any", "aria-label": `${data.name}, number` });
    this.fault = element("p", { hidden: "" });
    this.root.append(label, this.range, this.field, this.fault);
    this.range.addEventListener("input", () => this.set(Number(this.range.value), changed));
    this.field.addEventListener("change", () => {
      const typed = this.field.value.trim() === "" ? NaN : Number(this.field.value);
      this.set(Number.isFinite(typed) ? Math.min(Math.max(typed, this.low), this.high) : this.value, changed);
    });
    this.set(this.start);
  }

  set(value, changed) {
    const before = this.value;
    this.value = value;
    this.range.value = value;
    this.field.value = Number(value.toPrecision(8));
    this.root.classList.toggle("moved", value !== this.start);
    if (changed && value !== before) changed();
  }

  /** Mark that there is no run at a value, and which one is shown; without a value, that there is one. */
  fail(value, shown) {
    this.root.classList.toggle("failed", value !== undefined);
    this.fault.hidden = value === undefined;
    if (value !== undefined) this.fault.textContent = `no run at ${short(value)}; the run shown has ${short(shown)}`;
  }
}

/** The panel of sliders: what is wanted, what was asked for, and what is shown. */
class LivePanel {
  constructor(data, box) {
    Object.assign(this, { wanted: null, asked: 0, answered: 0, waiting: 0, timer: null });
    this.sliders = data.sliders.map((entry) => new Slider(entry, () => this.changed()));
    this.shown = this.values();
    const root = element("section", { class: "card live", "aria-label": "Parameters" });
    const head = element("div", { class: "live-head" });
    this.resetButton = element("button", { type: "button", id: "livereset", title: "All values as they were at the start" }, "Reset");
    this.saveButton = element("button", { type: "button", id: "livesave", title: "The model with these values, as a model file" }, "Save as YAML");
    this.resetButton.addEventListener("click", () => this.reset());
    this.saveButton.addEventListener("click", () => this.save());
    head.append(element("h2", {}, "Parameters"), this.resetButton, this.saveButton);
    this.state = element("p", { id: "livestate", role: "status" }, "Move a slider to compute the run again.");
    this.fault = element("p", { id: "livefault", class: "fault", role: "alert", hidden: "" });
    this.notes = element("p", { id: "livenotes", hidden: "" });
    root.append(head, ...this.sliders.map((slider) => slider.root), this.state, this.fault, this.notes);
    root.addEventListener("keydown", (event) => event.stopPropagation()); // keys of the fields are not those of the page
    box.prepend(root);
  }

  values() {
    return Object.fromEntries(this.sliders.map((slider) => [slider.name, slider.value]));
  }

  reset() {
    for (const slider of this.sliders) slider.set(slider.start);
    this.changed();
  }

  /** New values are wanted: they are sent once nothing is waited for, or when that takes long. */
  changed() {
    this.wanted = { values: this.values(), since: performance.now() };
    if (!this.waiting) this.send();
    else if (!this.timer) this.timer = setTimeout(() => this.send(), PATIENCE);
  }

  async send() {
    clearTimeout(this.timer);
    this.timer = null;
    if (!this.wanted) return;
    const { values, since } = this.wanted, number = this.asked += 1;
    this.wanted = null;
    this.waiting += 1;
    this.state.textContent = "computing …";
    try {
      const answer = await ask("run", { values });
      if (number > this.answered) this.take(await answer.json(), values, since, number);
    } catch (error) {
      this.say(error);
    } finally {
      this.waiting -= 1;
      if (!this.waiting) this.send();
    }
  }

  take(found, values, since, number) {
    if (found.superseded) { // by newer values of this page, or by another page of the same server
      if (number === this.asked && !this.wanted) this.wanted = { values, since };
      return;
    }
    this.answered = number;
    if (found.error) {
      this.fail(found.error, values);
      return;
    }
    showInPlace(found.data);
    this.shown = values;
    this.fault.hidden = true;
    for (const slider of this.sliders) slider.fail();
    this.notes.hidden = !found.notes.length;
    this.notes.textContent = found.notes.join("\n");
    const ms = (x) => (x < 10 ? x.toFixed(1) : x.toFixed(0));
    const taken = finished() - since;
    this.state.textContent = `computed in ${ms(1000 * found.computed)} ms, shown in ${ms(taken)} ms`;
    Object.assign(this, { computed: 1000 * found.computed, packed: 1000 * found.packed, taken, count: (this.count || 0) + 1 });
  }

  /** There is no run with these values: the last one stays, and the sliders that differ from it are marked. */
  fail(words, values) {
    this.fault.textContent = words;
    this.fault.hidden = false;
    this.notes.hidden = true;
    this.state.textContent = "This run failed; the last one that did not is shown.";
    for (const slider of this.sliders) {
      const value = values[slider.name], shown = this.shown[slider.name];
      slider.fail(value === shown ? undefined : value, shown);
    }
  }

  /** The server is gone, or refused a request. */
  say(error) {
    const gone = error instanceof TypeError; // what a browser reports when nobody answers
    this.fault.textContent = gone ? "The server does not answer: it was closed, or stopped by Ctrl-C. The last run stays." : error.message;
    this.fault.hidden = false;
    this.state.textContent = "";
  }

  async save() {
    try {
      const answer = await ask("model", { values: this.values() });
      const link = element("a", { download: `${pageData.title.replace(/[^\w.-]+/g, "_") || "model"}.yaml` });
      link.href = URL.createObjectURL(await answer.blob());
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
      this.fault.hidden = true;
    } catch (error) {
      this.say(error);
    }
  }
}

/** Show other data of the same system: also the view and the selected body stay. */
function showInPlace(data) {
  if (!view) {
    show(data);
    return;
  }
  const { picked, following } = view, away = view.camera.position.clone().sub(view.controls.target);
  view.touched = true;
  show(data);
  if (following) view.camera.position.copy(view.controls.target).add(away);
  if (picked) view.pick(picked);
  if (picked || following) view.draw();
}

/** Ask the server of this page; refused requests are errors with its words. */
async function ask(what, content) {
  const answer = await fetch(what, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) });
  if (answer.ok) return answer;
  throw new Error((await answer.json()).error);
}

/** The time (ms) at which everything is drawn: reading a pixel waits for the renderer. */
function finished() {
  if (view) {
    const gl = view.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
  return performance.now();
}

window.poinsot.live = new LivePanel(pageData.live, document.querySelector(".side"));

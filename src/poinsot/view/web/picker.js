/* A list of results by element, with a filter: opened below a button, closed by a choice, by escape, or by a click elsewhere. */

const MOST_LISTED = 400; // entries at a time; the filter finds the others

class ResultPicker {
  /** `choices()`: [{key, title, section, unit}]; `onChoice(key)`. */
  constructor(button, choices, onChoice) {
    Object.assign(this, { button, choices, onChoice, box: null });
    button.setAttribute("aria-haspopup", "dialog");
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => (this.box ? this.close() : this.open()));
  }

  open() {
    ResultPicker.opened?.close();
    ResultPicker.opened = this;
    this.all = this.choices();
    this.box = element("div", { class: "picker", role: "dialog", "aria-label": "Results" });
    this.input = element("input", { type: "search", "aria-label": "Filter results", placeholder: "Filter, e.g. angle knee", autocomplete: "off", spellcheck: "false" });
    this.list = element("div", { class: "list" });
    this.box.append(this.input, this.list);
    this.input.addEventListener("input", () => this.fill());
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.button.closest(".plot-head").after(this.box);
    this.button.setAttribute("aria-expanded", "true");
    this.fill();
    this.input.focus({ preventScroll: true });
  }

  close() {
    if (!this.box) return;
    this.box.remove();
    this.box = null;
    ResultPicker.opened = null;
    this.button.setAttribute("aria-expanded", "false");
  }

  /** Entries that contain every word of the filter, in their name, their element or their key. */
  matching() {
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    return this.all.filter(({ title, section, key }) => {
      const text = `${section} ${title} ${key}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  fill() {
    const found = this.matching(), parts = [];
    let section = null;
    for (const choice of found.slice(0, MOST_LISTED)) {
      if (choice.section !== section) {
        section = choice.section;
        parts.push(element("h3", {}, section));
      }
      const unit = choice.unit === "1" || !choice.unit ? "" : ` [${pretty(choice.unit)}]`;
      const entry = element("button", { type: "button", "data-key": choice.key }, choice.title + unit);
      entry.addEventListener("click", () => this.choose(choice.key));
      parts.push(entry);
    }
    if (found.length === 0) parts.push(element("p", { class: "fine" }, "No result has these words."));
    if (found.length > MOST_LISTED) parts.push(element("p", { class: "fine" }, `${found.length - MOST_LISTED} more: type a few letters.`));
    this.list.replaceChildren(...parts);
  }

  choose(key) {
    this.close();
    this.onChoice(key);
    this.button.focus({ preventScroll: true });
  }

  key(event) {
    event.stopPropagation();
    const entries = [...this.list.querySelectorAll("button")], now = entries.indexOf(document.activeElement);
    if (event.key === "Escape") {
      this.close();
      this.button.focus({ preventScroll: true });
    } else if (event.key === "Enter" && now < 0 && entries.length) entries[0].click();
    else if (event.key === "ArrowDown") entries[Math.min(now + 1, entries.length - 1)]?.focus();
    else if (event.key === "ArrowUp") (now > 0 ? entries[now - 1] : this.input).focus();
    else return;
    event.preventDefault();
  }
}

ResultPicker.opened = null;
document.addEventListener("pointerdown", (event) => {
  const picker = ResultPicker.opened;
  if (picker && !picker.box.contains(event.target) && !picker.button.contains(event.target)) picker.close();
});

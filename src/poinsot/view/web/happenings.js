/* Marks on the time line: what happened in the runs and when, such as contacts of stops. A click on a mark sets the time. */

/** Put marks above the slider of the time line, in place of those that are there; those at one place are one mark with several lines of words. */
function happeningMarks(slider, runs, clock) {
  const length = clock.end - clock.start, places = new Map();
  for (const run of runs) {
    for (const { t, words } of run.data.happenings ?? []) {
      const place = length > 0 ? Math.round(500 * (t - clock.start) / length) : 0; // marks nearer than a five-hundredth are one
      if (!places.has(place)) places.set(place, { t, lines: [] });
      places.get(place).lines.push(runs.length > 1 ? `${run.name}: ${words}` : words);
    }
  }
  let box = slider.parentElement;
  if (!box.classList.contains("timeline")) {
    box = element("span", { class: "timeline" });
    slider.replaceWith(box);
    box.append(slider);
  }
  box.replaceChildren(slider);
  for (const { t, lines } of places.values()) {
    const shown = lines.length > 6 ? [...lines.slice(0, 5), `and ${lines.length - 5} more`] : lines;
    const mark = element("button", { type: "button", class: "happening", tabindex: "-1", title: shown.join("\n"), "aria-label": shown.join("; ") });
    mark.style.setProperty("--part", length > 0 ? (t - clock.start) / length : 0);
    mark.addEventListener("click", () => clock.set(t));
    box.append(mark);
  }
}

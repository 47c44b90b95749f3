/* Files that the page writes: plots as SVG and CSV. */

const DIGITS = 7, DIGITS_64 = 15; // of a number in a table: as many as it is stored with

/** Offer a file for download. */
function saveFile(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A file name of words. */
function fileName(...words) {
  return words.map((word) => word.replace(/[^\p{L}\p{N}.-]+/gu, "_").replace(/^[._]+|_+$/g, "")).filter(Boolean).join("-").slice(0, 100) || "poinsot";
}

/** A plot as SVG, with its title above and its legend below. */
function svgOf(card) {
  const { plot, canvas } = card, width = Math.max(canvas.clientWidth, 300), height = Math.max(canvas.clientHeight, 150);
  const shown = [...new Map(card.curves.filter((curve) => curve.shown).map((curve) => [curve.name, curve])).values()];
  const pen = new SvgPen(width, height + 24 + 16 * shown.length, ink("card"));
  pen.parts.push('<g transform="translate(0 20)">');
  drawPlot(plot, pen, width, height);
  pen.parts.push("</g>");
  pen.fillStyle = ink("ink");
  pen.textAlign = "left";
  pen.fillText(`${card.title.textContent} over ${card.across.textContent}`, 4, 12);
  shown.forEach(({ name, colour }, k) => {
    const y = height + 30 + 16 * k;
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.globalAlpha = 1;
    rule(pen, 8, y, 26, y);
    pen.fillText(name, 32, y);
  });
  return pen.finish();
}

/** The shown curves of a plot as a table. Curves with the same times share their column of times, and of what they are drawn over; others have one each. */
function csvOf(card) {
  const curves = card.curves.filter((curve) => curve.shown), several = card.panels.runs.length > 1;
  const unit = card.group.unit && card.group.unit !== "1" ? ` [${card.group.unit}]` : "";
  const columns = [];
  let times = null, across = null;
  for (const curve of curves) {
    const head = (part) => `${[curve.part.label, part].filter(Boolean).join(" ")}${card.group.relative ? ", change since the start" : ""}${several ? ` (${curve.run.name})` : ""}${unit}`;
    if (!times || !sameTimes(times, curve.t)) {
      times = curve.t;
      across = null;
      columns.push({ head: "t [s]", values: curve.t });
    }
    if (card.plot.kind === "xy" && !(across && sameTimes(across, curve.x))) {
      across = curve.x;
      columns.push({ head: `${card.axis.title}${card.axis.unit && card.axis.unit !== "1" ? ` [${card.axis.unit}]` : ""}`, values: curve.x });
    }
    if (card.plot.kind === "polar") columns.push({ head: head(curve.axes[0]), values: curve.x }, { head: head(curve.axes[1]), values: curve.y });
    else columns.push({ head: head(curve.part.name), values: curve.y });
  }
  const rows = Math.max(0, ...columns.map(({ values }) => values.length));
  const lines = [columns.map(({ head }) => quoted(head)).join(",")];
  for (const column of columns) column.kept = column.values instanceof Float64Array ? DIGITS_64 : DIGITS;
  for (let k = 0; k < rows; k += 1) lines.push(columns.map(({ values, kept }) => (k < values.length ? Number(values[k].toPrecision(kept)) : "")).join(","));
  return `${lines.join("\n")}\n`;
}

function sameTimes(a, b) {
  return a === b || (a.length === b.length && a.every((t, k) => t === b[k]));
}

/** A field of a table; a name never becomes a formula of a spreadsheet. */
function quoted(text) {
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

function saveSvg(card) {
  saveFile(`${fileName(document.title, card.key)}.svg`, svgOf(card), "image/svg+xml");
}

function saveCsv(card) {
  saveFile(`${fileName(document.title, card.key)}.csv`, csvOf(card), "text/csv");
}

// The table as a picture: a line for each set, a dot for each arm.

/** Sets that are drawn, with what a reader calls them. */
const LINES = [
  ["qmd-docs", "Six long guides, questions"],
  ["doc-links-dev pages", "Documentation, pages by link text"],
  ["doc-links-dev sections", "Documentation, sections by link text"],
  ["scifact", "Scientific claims"],
  ["cranfield", "Aerodynamics abstracts"],
  ["vaswani", "Electronics abstracts"],
  ["cosqa-dev", "Web questions, Python functions"],
  ["code, mean", "Four repositories, files by question"],
  ["xquad, mean", "Wikipedia in four languages"],
  ["chunking-dev recall", "Reference passages, five chunks"],
];

/** From the weakest to the default, so that the default lies on top. Colours that colour-blind readers tell apart. */
const ARMS = [
  { arm: "semantic", colour: "#d95f02", name: "vectors alone" },
  { arm: "keyword", colour: "#7570b3", name: "words alone" },
  { arm: "rrf", colour: "#999999", name: "both, reciprocal rank fusion" },
  { arm: "hybrid", colour: "#1b9e77", name: "both, docsearch's default" },
];

const LEFT = 270;
const RIGHT = 60;
const WIDTH = 820;
const TOP = 64;
const ROW = 30;

/**
 * @param rows rows of results.json
 * @returns the chart as SVG; sets that were not measured are left out
 */
export function resultsChart(rows) {
  const lines = LINES.flatMap(([name, label]) => {
    const row = rows.find((candidate) => candidate.name === name);
    return row === undefined ? [] : [{ label, row }];
  });
  const bottom = TOP + lines.length * ROW;
  const x = (value) => LEFT + value * (WIDTH - LEFT - RIGHT);
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (value) =>
      `<line x1="${x(value)}" y1="${TOP - 8}" x2="${x(value)}" y2="${bottom}" stroke="#ddd"/>` +
      `<text x="${x(value)}" y="${bottom + 18}" text-anchor="middle" fill="#555">${value}</text>`,
  );
  let legendX = 16;
  const legend = ARMS.toReversed().map(({ colour, name }) => {
    const at = legendX;
    legendX += 34 + name.length * 6.6;
    return `<circle cx="${at + 6}" cy="24" r="6" fill="${colour}"/><text x="${at + 18}" y="28" fill="#222">${name}</text>`;
  });
  const marks = lines.map(({ label, row }, i) => {
    const y = TOP + i * ROW + ROW / 2;
    const values = ARMS.map(({ arm }) => row.values[arm]);
    const dots = ARMS.map(
      ({ arm, colour }) =>
        `<circle cx="${x(row.values[arm]).toFixed(1)}" cy="${y}" r="6" fill="${colour}"><title>${arm} ${row.values[arm].toFixed(3)}</title></circle>`,
    );
    return (
      `<text x="16" y="${y - 1}" fill="#222">${label}</text><text x="16" y="${y + 11}" fill="#777" font-size="9.5">${row.metric}</text>` +
      `<line x1="${x(Math.min(...values)).toFixed(1)}" y1="${y}" x2="${x(Math.max(...values)).toFixed(1)}" y2="${y}" stroke="#bbb" stroke-width="2"/>` +
      `${dots.join("")}<text x="${WIDTH - 16}" y="${y + 4}" text-anchor="end" fill="#1b9e77" font-weight="600">${row.values.hybrid.toFixed(2)}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 32}" font-family="system-ui, sans-serif" font-size="12" role="img">
<title>Search quality by set and way of searching; the table has every figure</title>
<rect width="${WIDTH}" height="${bottom + 32}" fill="#ffffff"/>
${legend.join("\n")}
${grid.join("\n")}
${marks.join("\n")}
</svg>
`;
}

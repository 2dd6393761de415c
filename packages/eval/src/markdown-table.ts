/** A Markdown table; every row has a cell for each heading. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A query may hold what would end a cell or a line. */
function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|").replace(/\s+/g, " ");
}

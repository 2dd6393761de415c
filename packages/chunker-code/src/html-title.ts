const TITLE = /<title\b[^>]{0,200}>([^<]{1,2000})<\/title>/i;
const HEAD = 20_000;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The title that a page gives itself, white space folded; `undefined` without one. */
export function htmlTitle(text: string): string | undefined {
  const words = TITLE.exec(text.slice(0, HEAD))?.[1] ?? "";
  const plain = words.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name]!);
  const title = plain.replace(/\s+/g, " ").trim();
  return title === "" ? undefined : title;
}

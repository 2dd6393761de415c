import { DocsearchError } from "@docsearch/spec";

/** A query that is longer is a file that was piped by mistake. */
const MOST_CHARACTERS = 100_000;

/**
 * The query that the words of the command line make; a single `-` stands for standard input.
 *
 * @throws `CONFIG_INVALID` for an empty one
 */
export async function readQuery(words: readonly string[]): Promise<string> {
  const query = (words.length === 1 && words[0] === "-" ? await readInput() : words.join(" ")).trim();
  if (query !== "") return query;
  throw invalid(query, "some words to search for");
}

async function readInput(): Promise<string> {
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const part of process.stdin) {
    // White space around the query is no part of it; but what comes without end must not be gathered.
    text = (text + part).trimStart();
    const isTooLong = text.length > MOST_CHARACTERS && text.trimEnd().length > MOST_CHARACTERS;
    if (isTooLong || text.length > 2 * MOST_CHARACTERS) throw invalid("…", `at most ${MOST_CHARACTERS} characters`);
  }
  return text;
}

function invalid(value: string, expected: string): DocsearchError {
  const found = value === "" ? "empty" : "too long";
  return new DocsearchError("CONFIG_INVALID", `the query is ${found}; expected ${expected}`, {
    setting: "query",
    value,
    expected,
  });
}

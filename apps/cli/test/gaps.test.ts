import { expect, test } from "vitest";
import { docsearch, temporaryFolders } from "./support.js";

const folder = temporaryFolders();

const ENTRY = JSON.stringify({
  time: "2026-11-30T20:15:00.000Z",
  client: "cli",
  queryHash: "a",
  query: "kelp salad",
  mode: "keyword",
  isFiltered: false,
  results: 0,
  timings: {},
  warnings: [],
  top: [],
});

test("one search is counted in the singular, and a line that cannot be read is said", async () => {
  const cwd = folder({ "log.jsonl": `${ENTRY}\n{"time\n` });
  const { code, stdout, stderr } = await docsearch(cwd, ["gaps", "log.jsonl"]);
  expect(code).toBe(0);
  expect(stdout).toContain("asked 1 time, 1 without any result, last 2026-11-30\n  kelp salad\n");
  expect(stderr).toBe(
    "docsearch: of 1 search without a filter, 1 found nothing or nothing near\ndocsearch: 1 line of the log cannot be read\n",
  );
});

test("a file without a line of a log is an error", async () => {
  const cwd = folder({ "other.jsonl": '{"query":"x"}\nbroken\n' });
  expect(await docsearch(cwd, ["gaps", "other.jsonl"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr:
      "docsearch: other.jsonl is no query log: of its 2 lines none can be read; expected the file of a query log, a JSON object on each line, as DOCS_QUERY_LOG makes it\n",
  });
});

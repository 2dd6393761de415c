import type { Docsearch } from "@docsearch/core";
import { misspeltVariables } from "../environment.js";
import { EXIT } from "../exit-codes.js";
import { leftovers } from "../leftovers.js";
import { type OpenIndex, openIndex } from "../open-index.js";
import { escapeLine } from "../output/escape.js";
import { counted } from "../output/numbers.js";
import { printJson } from "../output/print-json.js";
import { styler } from "../output/style.js";
import type { Flags } from "../setting-flags.js";
import { shownLocation } from "../shown-location.js";
import { version } from "../version.js";

interface DoctorFlags extends Flags {
  readonly json?: boolean;
}

/** What the doctor found out about one thing. */
interface Finding {
  readonly check: "program" | "settings" | "index" | "integrity" | "search";
  readonly result: "ok" | "warning" | "fault";
  /** For a fault it says what mends it, where that is known. */
  readonly message: string;
}

export async function doctorCommand(_operands: readonly string[], flags: DoctorFlags): Promise<void> {
  const { node } = process.versions;
  const program = `docsearch ${version()}, Node ${node}, ${process.platform} ${process.arch}`;
  const findings: Finding[] = [
    { check: "program", result: "ok", message: program },
    ...misspeltVariables().map((message): Finding => ({ check: "settings", result: "warning", message })),
    ...(await examineIndex(flags)),
  ];
  const isSound = findings.every(({ result }) => result !== "fault");
  if (flags.json) printJson({ sound: isSound, findings });
  else process.stdout.write(format(findings));
  process.exitCode = isSound ? EXIT.ok : EXIT.negative;
}

/** Opening loads the store's driver, the embedder and the chunkers, and compares the settings with the index. */
async function examineIndex(flags: DoctorFlags): Promise<Finding[]> {
  let index: OpenIndex;
  try {
    index = await openIndex(flags);
  } catch (error) {
    return [{ check: "index", result: "fault", message: messageOf(error) }];
  }
  try {
    return [
      ...(await looking("index", () => describe(index))),
      ...leftovers(index.location).map((message): Finding => ({ check: "index", result: "warning", message })),
      ...(await looking("integrity", () => examineContent(index.docsearch))),
      ...(await looking("search", () => trySearch(index.docsearch))),
    ];
  } finally {
    await index.docsearch.close();
  }
}

/** What cannot even be looked at is a fault, and the other things are looked at all the same. */
async function looking(check: Finding["check"], body: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await body();
  } catch (error) {
    return [{ check, result: "fault", message: messageOf(error) }];
  }
}

async function describe({ docsearch, location }: OpenIndex): Promise<Finding[]> {
  const { documents, chunks, vectors } = (await docsearch.status()).stats;
  const content = [counted(documents, "document"), counted(chunks, "chunk"), counted(vectors, "vector")].join(", ");
  return [{ check: "index", result: "ok", message: `${shownLocation(location)}: ${content}` }];
}

async function examineContent(docsearch: Docsearch): Promise<Finding[]> {
  const { faults } = await docsearch.check();
  if (faults.length === 0) return [{ check: "integrity", result: "ok", message: "what is stored is whole" }];
  const mend = "make the index anew: docsearch index --rebuild <paths>";
  return [...faults, mend].map((message) => ({ check: "integrity", result: "fault", message }));
}

/** Asks for something that the index holds, by words and by meaning. */
async function trySearch(docsearch: Docsearch): Promise<Finding[]> {
  const [document] = await docsearch.listDocuments({ limit: 1 });
  if (document === undefined) return [];
  const { warnings } = await docsearch.search({ query: document.title ?? document.path ?? "documentation" });
  const failed = warnings.find(({ code }) => code === "RETRIEVER_FAILED");
  if (failed !== undefined) return [{ check: "search", result: "fault", message: failed.message }];
  return [{ check: "search", result: "ok", message: "a query was answered" }];
}

function format(findings: readonly Finding[]): string {
  const style = styler(process.stdout);
  const colour = { ok: "dim", warning: "yellow", fault: "red" } as const;
  return findings
    .map(({ check, result, message }) => {
      return `${style(colour[result], result.padEnd(8))} ${check.padEnd(10)} ${escapeLine(message)}\n`;
    })
    .join("");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

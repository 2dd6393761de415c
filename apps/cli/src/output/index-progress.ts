import type { IndexEvent } from "@docsearch/core";
import type { RunProgress } from "@docsearch/service/run-record";
import { countItems } from "../count-items.js";
import type { Place } from "../places.js";
import { failureText } from "./index-report.js";
import { counted, grouped, lasting } from "./numbers.js";
import { type Progress, progressOn } from "./progress.js";
import { warn } from "./warn.js";

/** Failures that are written out while the run goes on; the report counts them all. */
const SHOWN_FAILURES = 20;
/** Remarks of the chunkers that are written out; `docsearch chunk` has those of one file. */
const SHOWN_DIAGNOSTICS = 20;
/** Chunks that the model cut and that are named; the report counts them all. */
const SHOWN_CUTS = 5;
/** Below this share a guess of the time left is worth nothing. */
const GUESSABLE_SHARE = 0.02;
/** A model that takes its time brings no events meanwhile. */
const REFRESH_MS = 250;
/** Whoever searches meanwhile learns how far the run is. */
const TELL_MS = 1000;

/** What an index run shows on stderr: how far it is, and each document that fails. */
export class IndexProgress {
  readonly #places: readonly Place[];
  readonly #line: Progress = progressOn(process.stderr);
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #counting = new AbortController();
  #isCounting = false;
  /** Absent until it was counted. */
  #total: number | undefined;
  #done = 0;
  #written = 0;
  #chunks = 0;
  #failures = 0;
  #cut = 0;
  #diagnostics = 0;
  readonly #skipped: { readonly path: string; readonly reason: string }[] = [];

  readonly #tellOthers: (progress: RunProgress) => void;
  #nextTell = performance.now() + TELL_MS;

  /** @param tellOthers called now and then with how far the run is */
  constructor(places: readonly Place[], tellOthers: (progress: RunProgress) => void) {
    this.#places = places;
    this.#tellOthers = tellOthers;
    this.#timer = setInterval(() => this.#refresh(), REFRESH_MS).unref();
  }

  /** New or changed documents that are in the index. */
  get written(): number {
    return this.#written;
  }

  /** What the rules left out, in the order in which it came up; folders end with a slash. */
  get skipped(): readonly { readonly path: string; readonly reason: string }[] {
    return this.#skipped;
  }

  onEvent(event: IndexEvent): void {
    if (event.type === "skip") this.#skip(event.path, event.reason);
    if (event.type === "write") this.#chunks = event.chunks;
    else if (event.type === "truncation") this.#tellCut(event.documentId, event.line);
    else if (event.type === "diagnostic") this.#tell(event);
    else if (event.type !== "delete") this.#done++;
    if (event.type === "document" && event.outcome !== "unchanged") this.#written++;
    if (event.type === "failure") this.#fail(event.documentId, event.error);
    this.#refresh();
  }

  #tell({ documentId, message, line }: Extract<IndexEvent, { type: "diagnostic" }>): void {
    if (++this.#diagnostics > SHOWN_DIAGNOSTICS) return;
    this.#line.clear();
    warn(`${documentId}${line === undefined ? "" : `:${line}`}: ${message}`);
  }

  #tellCut(documentId: string, line: number): void {
    if (++this.#cut > SHOWN_CUTS) return;
    this.#line.clear();
    warn(`${documentId}:${line} is longer than the model takes; its vector stands for its beginning alone`);
  }

  /** Takes the line away and says how many failures were not shown. Idempotent. */
  end(): void {
    clearInterval(this.#timer);
    this.#counting.abort();
    this.#line.clear();
    const hidden = this.#failures - SHOWN_FAILURES;
    if (hidden > 0) warn(`${counted(hidden, "more failure")}; --json lists them all`);
    this.#failures = 0;
  }

  #fail(documentId: string, error: unknown): void {
    if (++this.#failures > SHOWN_FAILURES) return;
    this.#line.clear();
    warn(failureText(documentId, error));
  }

  #skip(path: string, reason: string): void {
    this.#skipped.push({ path, reason });
    if (reason !== "secret" || !this.#places.some((place) => place.rootName === path)) return;
    this.#line.clear();
    warn(`${path} was named and left out: it looks like keys or passwords. If it is to be found: --include-secrets`);
  }

  #refresh(): void {
    const now = performance.now();
    if (now >= this.#nextTell) {
      this.#nextTell = now + TELL_MS;
      if (!this.#isCounting) this.#startCounting();
      this.#tellOthers({ files: this.#done, ...(this.#total !== undefined && { total: this.#total }) });
    }
    this.#line.update(() => {
      // Only a run that is long enough to be shown is worth a second walk.
      if (!this.#isCounting) this.#startCounting();
      return this.#text((performance.now() - this.#started) / 1000);
    });
  }

  #startCounting(): void {
    this.#isCounting = true;
    void countItems(this.#places, this.#counting.signal).then((total) => {
      this.#total = total;
    });
  }

  #text(seconds: number): string {
    const files =
      this.#total === undefined
        ? counted(this.#done, "file")
        : `${grouped(this.#done)} of ${counted(this.#total, "file")}`;
    const parts = [`indexing: ${files}`, counted(this.#chunks, "chunk")];
    if (this.#done > 0) parts.push(`${counted(Math.ceil(this.#done / seconds), "file")}/s`);
    if (this.#total !== undefined && this.#done >= this.#total * GUESSABLE_SHARE && this.#done > 0) {
      const left = Math.max(0, this.#total - this.#done);
      parts.push(`about ${lasting((seconds * left) / this.#done)} left`);
    }
    return parts.join(", ");
  }
}

import type { IndexEvent } from "@docsearch/core";
import type { SourceItem } from "@docsearch/spec";
import { countItems } from "../count-items.js";
import type { Place, Selection } from "../places.js";
import { failureText } from "./index-report.js";
import { counted, grouped, lasting } from "./numbers.js";
import { type Progress, progressOn } from "./progress.js";
import { warn } from "./warn.js";

/** Failures that are written out while the run goes on; the report counts them all. */
const SHOWN_FAILURES = 20;
/** Below this share a guess of the time left is worth nothing. */
const GUESSABLE_SHARE = 0.02;

/** What an index run shows on stderr: where it is, and each document that fails. */
export class IndexProgress {
  readonly #places: readonly Place[];
  readonly #selection: Selection;
  readonly #line: Progress = progressOn(process.stderr);
  readonly #started = performance.now();
  #items = 0;
  /** Absent until it was counted. */
  #total: number | undefined;
  #isCounting = false;
  #written = 0;
  #chunks = 0;
  #failures = 0;

  constructor(places: readonly Place[], selection: Selection) {
    this.#places = places;
    this.#selection = selection;
  }

  /** New or changed documents that are in the index. */
  get written(): number {
    return this.#written;
  }

  /** The items, counted as they pass. */
  async *watch(items: AsyncIterable<SourceItem>, signal: AbortSignal): AsyncGenerator<SourceItem> {
    for await (const item of items) {
      this.#items++;
      this.#line.update(() => this.#text(signal));
      yield item;
    }
  }

  onEvent(event: IndexEvent): void {
    if (event.type === "document" && event.outcome !== "unchanged") this.#written++;
    if (event.type === "write") this.#chunks = event.chunks;
    if (event.type === "failure") this.#fail(event.documentId, event.error);
  }

  /** Takes the line away and says how many failures were not shown. */
  end(): void {
    this.#line.clear();
    const hidden = this.#failures - SHOWN_FAILURES;
    if (hidden > 0) warn(`${counted(hidden, "failure")} more, see --json`);
    this.#failures = 0;
  }

  #fail(documentId: string, error: unknown): void {
    if (++this.#failures > SHOWN_FAILURES) return;
    this.#line.clear();
    warn(failureText(documentId, error));
  }

  #text(signal: AbortSignal): string {
    // Only a run that is long enough to be shown is worth a second walk.
    if (!this.#isCounting) this.#startCounting(signal);
    const seconds = (performance.now() - this.#started) / 1000;
    const total = this.#total === undefined ? "" : ` of ${grouped(this.#total)}`;
    const rate = grouped(Math.round(this.#items / seconds));
    return `indexing: ${grouped(this.#items)}${total} files, ${counted(this.#chunks, "chunk")}, ${rate} files/s${this.#timeLeft(seconds)}`;
  }

  #startCounting(signal: AbortSignal): void {
    this.#isCounting = true;
    void countItems(this.#places, this.#selection, signal).then((total) => {
      this.#total = total;
    });
  }

  #timeLeft(seconds: number): string {
    if (this.#total === undefined || this.#items < this.#total * GUESSABLE_SHARE) return "";
    const left = Math.max(0, this.#total - this.#items);
    return `, about ${lasting((seconds * left) / this.#items)} left`;
  }
}

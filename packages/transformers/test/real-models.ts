import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { writeBert } from "../scripts/bert.mjs";
import { writeOverlapReranker } from "../scripts/overlap-reranker.mjs";

/** Folders of models that the real transformers.js runs. */
export interface RealModels {
  /** A folder for the tests' own files. */
  readonly folder: string;
  /** BERT with random weights. */
  readonly bert: string;
  /** The same as a cross-encoder: its scores mean nothing. */
  readonly crossBert: string;
  /** A cross-encoder that counts common words. */
  readonly overlap: string;
}

/** Writes them when a file of tests starts; they are gone when it ends. */
export function realModels(): RealModels {
  const folder = mkdtempSync(join(tmpdir(), "docsearch-models-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const models = {
    folder,
    bert: join(folder, "bert"),
    crossBert: join(folder, "cross"),
    overlap: join(folder, "overlap"),
  };
  writeBert(models.bert, "embedder");
  writeBert(models.crossBert, "reranker");
  writeOverlapReranker(models.overlap);
  return models;
}

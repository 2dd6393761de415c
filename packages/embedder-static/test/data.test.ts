import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadStaticModel } from "../src/load-model.js";
import { buildPieceIndex, encodePieceIndex } from "../src/piece-index.js";
import { BUNDLED } from "./model-folder.js";

const manifest: { readonly sha256: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(BUNDLED, "manifest.json"), "utf8"),
);

describe("the model in the package", () => {
  it("has these files", () => {
    expect(readdirSync(BUNDLED).sort()).toEqual([
      "NOTICE.md",
      "config.json",
      "idf.u8",
      "manifest.json",
      "qratio.u8",
      "rows.i8",
      "vocab.index",
      "vocab.txt",
    ]);
  });

  // After a change of the model: node scripts/write-manifest.mjs
  it.each(["config.json", "idf.u8", "qratio.u8", "rows.i8", "vocab.txt"])("%s is the one that is listed", (name) => {
    const sha256 = createHash("sha256")
      .update(readFileSync(join(BUNDLED, name)))
      .digest("hex");
    expect(sha256).toBe(manifest.sha256[name]);
  });

  it("has the index of its vocabulary", () => {
    const lines = readFileSync(join(BUNDLED, "vocab.txt"), "utf8");
    const index = encodePieceIndex(buildPieceIndex(lines, 49_844, "vocab.txt"), manifest.sha256["vocab.txt"]!);
    expect(readFileSync(join(BUNDLED, "vocab.index")).equals(Buffer.from(index.buffer))).toBe(true);
  });

  // A new id makes every index be made anew.
  it("has this id", async () => {
    expect((await loadStaticModel(BUNDLED)).id).toBe("static/format-1/version-1/9a183751d8e0742f");
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { KERNEL_BASE64 } from "../src/generated/kernel.js";
import { loadStaticModel } from "../src/load-model.js";
import { fastestPooling, type Pooling } from "../src/pooling.js";
import { scalarPooling } from "../src/scalar-pooling.js";
import { simdPooling } from "../src/simd-pooling.js";
import type { StaticModel } from "../src/static-model.js";
import golden from "./fixtures/golden.json" with { type: "json" };
import { BUNDLED } from "./model-folder.js";

function kernelPooling(tokens: number, dimensions: number): Pooling {
  const pooling = simdPooling(tokens, dimensions);
  if (pooling === undefined) throw new Error("this engine has no WebAssembly SIMD, so its path is not tested");
  return pooling;
}

const side = { p: "document", q: "query" } as const;

describe.each([
  ["kernel", kernelPooling],
  ["plain JavaScript", scalarPooling],
])("golden vectors by the %s", (_, makePooling) => {
  let model: StaticModel;
  beforeAll(async () => {
    model = await loadStaticModel(BUNDLED, makePooling);
  });

  it.each(golden)("$kind $text", ({ text, kind, vector }) => {
    const actual = model.embed(text, side[kind as "p" | "q"]);
    if (vector.every((x) => x === 0)) {
      expect(actual).toBeUndefined();
      return;
    }
    expect(actual).toHaveLength(256);
    const worst = Math.max(...vector.map((x, j) => Math.abs(x - actual![j]!)));
    expect(worst).toBeLessThan(2e-6);
  });
});

describe("both paths", () => {
  it("give the same vectors, bit for bit", async () => {
    const kernel = await loadStaticModel(BUNDLED, kernelPooling);
    const scalar = await loadStaticModel(BUNDLED, scalarPooling);
    const pieces = readFileSync(join(BUNDLED, "vocab.txt"), "utf8").trimEnd().split("\n");
    const word = fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 12 }));
    const text = fc.array(word, { maxLength: 200 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, fc.constantFrom("document" as const, "query" as const), (text, side) => {
        expect(kernel.embed(text, side)).toEqual(scalar.embed(text, side));
      }),
    );
  });

  it.each([16, 48, 1024])("sum extreme rows of %i dimensions alike", (dimensions) => {
    const tokens = 5;
    const kernel = kernelPooling(tokens, dimensions);
    const scalar = scalarPooling(tokens, dimensions);
    for (const pooling of [kernel, scalar]) {
      pooling.rows.forEach((_, i) => {
        pooling.rows[i] = [-128, 127, 0, -1, 1, 77][i % 6]!;
      });
      pooling.ids.set([4, 0, 2, 3, 1]);
      pooling.weights.set([1e17, 1e-17, 0.1, 3, 1 / 3]);
    }
    for (const count of [5, 0, 3, 1]) {
      kernel.add(count);
      scalar.add(count);
      expect(kernel.sum).toEqual(scalar.sum);
    }
  });
});

describe("the kernel", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is under 2 kB", () => {
    expect(Buffer.from(KERNEL_BASE64, "base64").length).toBeLessThan(2000);
  });

  const withoutSimd = { ...WebAssembly, validate: () => false };
  class Memory {
    constructor() {
      throw new RangeError("could not allocate memory");
    }
  }
  it.each([
    ["WebAssembly", undefined],
    ["SIMD", withoutSimd],
    ["address space", { ...withoutSimd, validate: () => true, Memory }],
  ])("gives way to plain JavaScript where there is no %s", (_, webAssembly) => {
    vi.stubGlobal("WebAssembly", webAssembly);
    expect(simdPooling(4, 16)).toBeUndefined();
    const pooling = fastestPooling(2, 16);
    pooling.rows.fill(3);
    pooling.ids[0] = 1;
    pooling.weights[0] = 2;
    pooling.add(1);
    expect(pooling.sum).toEqual(new Float32Array(16).fill(6));
  });
});

import { cpSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadStaticModel } from "../src/load-model.js";
import { fileHash } from "../src/model-hash.js";
import { buildPieceIndex, encodePieceIndex } from "../src/piece-index.js";
import { RowFile } from "../src/row-file.js";
import { BUNDLED, SMALL_CONFIG, temporaryFolder, writeModel } from "./model-folder.js";

const config = (change: object): string => JSON.stringify({ ...SMALL_CONFIG, ...change });

/** The message of the error that loading `folder` must end with, with the folder's name cut out. */
async function failure(folder: string): Promise<string> {
  const error = await loadStaticModel(folder).then(
    () => expect.fail("the model was loaded"),
    (error: unknown) => error,
  );
  expect(error).toMatchObject({
    name: "DocsearchError",
    code: "BACKEND_LOAD_FAILED",
    details: { package: "@docsearch/embedder-static" },
  });
  return (error as Error).message.replaceAll(`${folder}/`, "");
}

describe("a model that is not whole is refused, and the message says why", () => {
  const advice = "Give the folder of a whole model of format 1, or no folder for the model in the package.";

  it.each([
    ["config.json", "{", "config.json is not JSON"],
    ["config.json", "[]", "config.json holds no JSON object"],
    ["config.json", config({ format: 2 }), "config.json has format = 2 where 1 was expected"],
    ["config.json", config({ version: "1" }), 'config.json has version = "1" where a whole number from 1 was expected'],
    ["config.json", config({ normaliser: "x" }), 'config.json has normaliser = "x" where "docsearch-1" was expected'],
    ["config.json", config({ tf: "log" }), 'config.json has tf = "log" where "sqrt" was expected'],
    [
      "config.json",
      config({ vocab: 0 }),
      "config.json has vocab = 0 where a whole number from 1 to 1000000 was expected",
    ],
    ["config.json", config({ dim: 20 }), "config.json has dim = 20 where a multiple of 16 up to 1024 was expected"],
    [
      "config.json",
      config({ qratio: { log_lo: 0, log_hi: 1000 } }),
      'config.json has qratio = {"log_lo":0,"log_hi":1000} where log_lo and log_hi from -40 to 40 was expected',
    ],
    ["vocab.txt", "red\ngreen\nnothing\n", "vocab.txt holds 3 lines where config.json promises 4"],
    ["vocab.txt", "a\nb\nc\nd\ne\n", "vocab.txt holds more than the 4 lines that config.json promises"],
    ["vocab.txt", "a\n\nc\nd\n", "vocab.txt has no piece on line 2"],
    ["vocab.txt", "a\nb\nb\nc\n", 'vocab.txt has "b" on line 2 and on line 3; a piece stands once'],
    ["vocab.txt", "a\r\nb\r\nc\r\nd\r\n", "vocab.txt has carriage returns; its lines end in a line feed alone"],
    ["qratio.u8", new Uint8Array(5), "qratio.u8 holds 5 bytes where config.json promises 4, one for each piece"],
    ["rows.i8", new Uint8Array(63), "rows.i8 holds 63 bytes where config.json promises 64, vocab times dim"],
    ["rows.i8", new Uint8Array(65), "rows.i8 holds 65 bytes where config.json promises 64, vocab times dim"],
    ["manifest.json", "", "manifest.json is not JSON"],
    ["manifest.json", "{}", "manifest.json has no SHA-256 of config.json in its field sha256"],
  ])("%s: %j", async (name, content, problem) => {
    const message = await failure(writeModel({ [name]: content }));
    expect(message).toBe(`The static embedding model cannot be loaded: ${problem}. ${advice}`);
  });

  it.each(["config.json", "vocab.txt", "qratio.u8", "rows.i8"])("%s missing", async (name) => {
    const folder = temporaryFolder();
    cpSync(writeModel(), folder, { recursive: true, filter: (source) => !source.endsWith(name) });
    expect(await failure(folder)).toBe(
      `The static embedding model cannot be loaded: ${name} cannot be read. ${advice}`,
    );
  });

  it("a table that is cut off after loading", async () => {
    const folder = temporaryFolder();
    cpSync(BUNDLED, folder, { recursive: true });
    const model = await loadStaticModel(folder);
    truncateSync(join(folder, "rows.i8"), 1000);
    for (const side of ["query", "document"] as const) {
      expect(() => model.embed("configure", side)).toThrow(
        expect.objectContaining({
          code: "BACKEND_LOAD_FAILED",
          message: expect.stringMatching(/rows\.i8 ended after \d+ of its 12760064 bytes/),
        }),
      );
    }
    model.close();
  });

  it("a folder in the place of the table", async () => {
    const folder = temporaryFolder();
    cpSync(writeModel(), folder, { recursive: true, filter: (source) => !source.endsWith("rows.i8") });
    mkdirSync(join(folder, "rows.i8"));
    expect(await failure(folder)).toContain("rows.i8 ");
  });

  it("a file that the manifest does not list", async () => {
    const folder = temporaryFolder();
    cpSync(BUNDLED, folder, { recursive: true });
    writeFileSync(join(folder, "qratio.u8"), new Uint8Array(49_844));
    expect(await failure(folder)).toBe(
      "The static embedding model cannot be loaded: qratio.u8 is not the file that manifest.json lists: its SHA-256 is " +
        "365d8c2160bed6c441909713e2aa5801a3963bbf1ff0b2901eb4013e1745981b where cb3009a92055e8791f55f96cd718465607510636ca693950a681464c7303d457 was expected. " +
        `Delete manifest.json to load the folder as it is. ${advice}`,
    );
  });
});

describe("id", () => {
  it("holds format, version and a hash of the files", async () => {
    expect((await loadStaticModel(writeModel())).id).toBe("static/format-1/version-7/41ade5488ca4287a");
  });

  it("has version 1 when config.json says none", async () => {
    const { version: _, ...rest } = SMALL_CONFIG;
    const model = await loadStaticModel(writeModel({ "config.json": JSON.stringify(rest) }));
    expect(model.id).toMatch(/^static\/format-1\/version-1\/[0-9a-f]{16}$/);
  });

  it("changes with each file that vectors come from", async () => {
    const ids = [];
    for (const change of [
      {},
      { "config.json": config({ scale: 0.02 }) },
      { "vocab.txt": "red\ngreen\nnothing\n##y\n" },
      { "qratio.u8": Uint8Array.of(0, 254, 0, 0) },
      { "rows.i8": new Uint8Array(64).fill(1) },
    ]) {
      ids.push((await loadStaticModel(writeModel(change))).id);
    }
    expect(new Set(ids).size).toBe(5);
  });

  it("is the same with a manifest and without", async () => {
    const folder = temporaryFolder();
    cpSync(BUNDLED, folder, { recursive: true, filter: (source) => !source.endsWith("manifest.json") });
    expect((await loadStaticModel(folder)).id).toBe((await loadStaticModel(BUNDLED)).id);
  });
});

describe("the rows of a query", () => {
  const texts = ["how do I retry a failed job", "", "useEffect", readFileSync(join(BUNDLED, "NOTICE.md"), "utf8")];

  it("give the vectors that the whole table gives", async () => {
    const byRow = await loadStaticModel(BUNDLED);
    const whole = await loadStaticModel(BUNDLED);
    whole.embed("a document", "document");
    for (const text of [...texts, ...texts]) expect(byRow.embed(text, "query")).toEqual(whole.embed(text, "query"));
    byRow.embed("a document", "document");
    for (const text of texts) expect(byRow.embed(text, "query")).toEqual(whole.embed(text, "query"));
    byRow.close();
    whole.close();
  });

  it("are all that is read", async () => {
    const rows = new Int8Array(64);
    const file = new RowFile(join(writeModel(), "rows.i8"), rows, 16);
    file.need(Int32Array.of(1, 3, 0), 2);
    expect([...rows].flatMap((value, i) => (value === 0 ? [] : [i]))).toEqual([30, 50]);
    file.needAll();
    expect([...rows].flatMap((value, i) => (value === 0 ? [] : [i]))).toEqual([0, 1, 30, 50]);
  });
});

describe("vocab.index", () => {
  const lines = "red\ngreen\nnothing\n##ish\n";
  const hash = fileHash(Buffer.from(lines));
  const index = Buffer.from(encodePieceIndex(buildPieceIndex(lines, 4, "vocab.txt"), hash).buffer);
  const other = Buffer.from(
    encodePieceIndex(buildPieceIndex("a\nb\nc\nd\n", 4, "vocab.txt"), fileHash(Buffer.of(0))).buffer,
  );

  it.each([
    ["its own", index],
    ["that of other words", other],
    ["a part of it", index.subarray(0, 40)],
    ["odd bytes", Buffer.of(1, 2, 3)],
    ["nothing", Buffer.alloc(0)],
  ])("changes no vector: %s", async (_, content) => {
    const vector = (await loadStaticModel(writeModel())).embed("greenish red", "query");
    expect(vector).toBeDefined();
    expect((await loadStaticModel(writeModel({ "vocab.index": content }))).embed("greenish red", "query")).toEqual(
      vector,
    );
  });

  it("is read without the words being looked at", async () => {
    // The slots of the index are empty, so no word is found.
    const empty = Buffer.from(index);
    empty.fill(0, empty.length - 8 * 4);
    expect((await loadStaticModel(writeModel({ "vocab.index": empty }))).embed("red", "query")).toBeUndefined();
  });
});

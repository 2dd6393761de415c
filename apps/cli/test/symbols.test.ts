import { expect, test } from "vitest";
import { docsearch, json, temporaryFolders } from "./support.js";

const newFolder = temporaryFolders();

test("symbols: a name that is defined, but not as that kind, is said with the kinds that it has", async () => {
  const folder = newFolder({
    "src/a.ts": "export function bark(): string {\n  return 'wuff';\n}\n",
    "src/b.ts": "export class Dog {\n  bark(): void {\n    return;\n  }\n}\n",
  });
  await docsearch(folder, ["index", "src", "--embedder", "none"]);
  expect(await json(folder, ["symbols", "bark", "--kind", "method", "--embedder", "none"])).toMatchObject({
    definitions: [{ path: "src/b.ts", kind: "method" }],
  });
  expect(await docsearch(folder, ["symbols", "bark", "--kind", "nokind", "--embedder", "none"])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "docsearch: nothing of the kind nokind defines bark; it is defined as function, method\n",
  });
  expect(await docsearch(folder, ["symbols", "meow", "--kind", "nokind", "--embedder", "none"])).toMatchObject({
    code: 1,
    stderr: "docsearch: nothing defines meow\n",
  });
});

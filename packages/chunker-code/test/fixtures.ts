import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("./fixtures/", import.meta.url);

export interface Fixture {
  readonly language: string;
  /** Of the sample: `sample.py`. */
  readonly file: string;
  readonly text: string;
  /** Name, kind, qualified name and lines of every definition; of symbols the signature too, and what documents them. */
  readonly table: readonly (readonly [string, string, string, number, number, string?, string?])[];
}

/** A sample for each language, with the definitions that are in it. */
export function readFixtures(): Fixture[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "cases")
    .map(({ name }) => {
      const folder = new URL(`${name}/`, FOLDER);
      const file = readdirSync(folder).find((each) => each !== "definitions.json")!;
      const table = JSON.parse(readFileSync(new URL("definitions.json", folder), "utf8")) as Fixture["table"];
      return { language: name, file, text: readFileSync(new URL(file, folder), "utf8"), table };
    });
}

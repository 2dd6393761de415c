import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainNames, sourceNames } from "@docsearch/service";
import { skillText } from "@docsearch/service/skill-text";
import { openIndex } from "../open-index.js";
import { warn } from "../output/warn.js";
import type { Flags } from "../setting-flags.js";

interface SkillFlags extends Flags {
  readonly output?: string;
}

/** Prints a SKILL.md for this index, or writes it below a folder of skills. */
export async function skillCommand(_operands: readonly string[], flags: SkillFlags): Promise<void> {
  const { docsearch } = await openIndex(flags);
  try {
    const { stats } = await docsearch.status();
    const text = skillText(plainNames(await sourceNames(docsearch, {})), stats.documents);
    if (flags.output === undefined) {
      process.stdout.write(text);
      return;
    }
    const folder = join(flags.output, "docsearch");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "SKILL.md"), text);
    warn(`wrote ${join(folder, "SKILL.md")}`);
  } finally {
    await docsearch.close();
  }
}

import { EXIT } from "../exit-codes.js";
import { openIndex } from "../open-index.js";
import { printJson } from "../output/print-json.js";

export async function doctorCommand(flags: { readonly json?: boolean }): Promise<void> {
  const docsearch = await openIndex({ ...flags }, { mode: "read" });
  try {
    const { faults } = await docsearch.check();
    if (flags.json) printJson({ faults });
    else if (faults.length === 0) process.stdout.write("the index is whole\n");
    else process.stdout.write(`${faults.join("\n")}\nmake it anew: docsearch index --rebuild <paths>\n`);
    process.exitCode = faults.length === 0 ? EXIT.ok : EXIT.error;
  } finally {
    await docsearch.close();
  }
}

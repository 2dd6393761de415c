// Writes docs/env.md from the table of settings. usage: node tools/write-env-docs.mjs     after a build of core
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SETTINGS } from "../packages/core/dist/settings.js";

/** The file that it writes. */
export const ENV_DOCS = fileURLToPath(new URL("../docs/env.md", import.meta.url));

/** What stands in it. */
export function envDocs() {
  return `<!-- Written by tools/write-env-docs.mjs from packages/core/src/settings.ts. Change the table there. -->

# Settings

Every setting is an environment variable, and most are a flag of the \`docsearch\` command too. \`docsearchFromEnv(env)\` of \`@docsearch/core\` takes the same variables, from whatever object it is given.

- A flag wins over its variable, a variable over the default. An empty variable counts as unset.
- A value that a setting does not take is an error that names the setting, the value and what was expected.
- A variable that begins with \`DOCS_\` and is not in the table is a warning of the command, with the nearest name that is.
- A backend is a name from its row, or a module specifier: anything that contains \`/\` or begins with \`@\`, \`.\` or \`file:\`. Specifiers come from the environment, a flag or code, never from a file in what is indexed.
- An index answers only with the settings it was made with: store, embedder, model and chunks. Those of the answers (fusion, weights, candidates) can be others at each search.

| variable | flag | value | default | |
| --- | --- | --- | --- | --- |
${SETTINGS.map(row).join("\n")}

## Of the command alone

| variable | |
| --- | --- |
| \`DOCSEARCH_DEBUG\` | \`1\`: errors come with their stack. |
| \`FORCE_COLOR\` | Colours also where stdout is no terminal; \`0\` or \`false\`: never. Wins over \`NO_COLOR\`. |
| \`NO_COLOR\` | Anything but empty: no colours. |
`;
}

/** @param {import("../packages/core/dist/settings.js").Setting} setting */
function row({ variable, flag, kind, choices, least, fallback, description }) {
  const value = choices?.map(code).join(", ") ?? kind;
  const bound = least === undefined ? "" : `, at least ${least}`;
  const cells = [
    code(variable),
    flag === undefined ? "" : code(`--${flag}`),
    `${value}${bound}`,
    fallback === undefined ? "" : code(fallback),
    description,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** @param {string} text */
function code(text) {
  return `\`${text}\``;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(ENV_DOCS, envDocs());

// Writes the version of the server into the manifests that name it, and the skill of the plugin.
// usage: node tools/sync-manifests.mjs     after a build of packages/service, when the version or the skill has changed
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { skillText } from "../packages/service/dist/skill-text.js";

/** From the repository's folder. */
const MANIFESTS = [
  ".claude-plugin/marketplace.json",
  "apps/server/server.json",
  "plugins/docsearch/.claude-plugin/plugin.json",
  "plugins/docsearch/.codex-plugin/plugin.json",
  "plugins/docsearch/gemini-extension.json",
  "plugins/docsearch/manifest.json",
];
const SKILL = "plugins/docsearch/skills/docsearch/SKILL.md";

/** @param {string} path */
const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const { version } = JSON.parse(readFileSync(file("apps/server/package.json"), "utf8"));
for (const path of MANIFESTS) {
  const text = readFileSync(file(path), "utf8");
  // The manifests have no other versions than ours; what is around them stays as it is written.
  writeFileSync(file(path), text.replaceAll(/"version": "[^"]*"/g, `"version": "${version}"`));
}
writeFileSync(file(SKILL), skillText([]));

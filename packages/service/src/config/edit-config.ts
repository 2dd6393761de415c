import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CONFIG_FILES } from "../project.js";
import { checkSource, configError, isYaml, parseConfig, readConfig, type SourceConfig } from "./config-file.js";
import { removeJsonMember, setJsonMember } from "./json-member.js";
import { loadYaml, parseYamlDocument } from "./yaml-document.js";

/**
 * Adds a source to the config file, which is made if need be, and returns its path. Comments and the rest of the file stay.
 *
 * @throws `CONFIG_INVALID` for a name that is there, and like `readConfig`
 */
export function addSource(projectRoot: string, name: string, source: SourceConfig): string {
  const config = readConfig(projectRoot);
  const file = config?.file ?? join(projectRoot, CONFIG_FILES[0]);
  checkSource(file, name, source);
  if (config?.sources.has(name)) {
    const expected = `a new name, or docsearch sources remove ${name} before`;
    throw configError(`sources.${name} in ${file} is there already; expected ${expected}`, {
      setting: `sources.${name}`,
      value: name,
      expected,
    });
  }
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const edited = isYaml(file) ? addToYaml(text, name, source) : setJsonMember(text, "sources", name, { ...source });
  // What is written must be read again, whatever the file looked like.
  parseConfig(edited, file);
  writeFileSync(file, edited);
  return file;
}

/**
 * Takes a source out of the config file. Comments and the rest of the file stay.
 *
 * @throws `CONFIG_INVALID` like `readConfig`
 */
export function removeSource(projectRoot: string, name: string): void {
  const config = readConfig(projectRoot);
  if (config?.sources.has(name) !== true) return;
  const text = readFileSync(config.file, "utf8");
  const edited = isYaml(config.file) ? removeFromYaml(text, name) : removeJsonMember(text, "sources", name);
  parseConfig(edited, config.file);
  writeFileSync(config.file, edited);
}

function addToYaml(text: string, name: string, source: SourceConfig): string {
  const { document } = parseYamlDocument(text);
  const { isMap, isScalar } = loadYaml();
  const node = document.createNode({ ...source });
  const { contents } = document;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  if (isEmpty) Object.assign(document, { contents: document.createNode({}) });
  const sources = document.get("sources", true);
  if (isMap(sources)) sources.add(document.createPair(name, node));
  else document.set("sources", document.createNode({ [name]: node }));
  return document.toString({ lineWidth: 0 });
}

function removeFromYaml(text: string, name: string): string {
  const { document } = parseYamlDocument(text);
  const { isMap, isScalar } = loadYaml();
  const sources = document.get("sources", true);
  if (!isMap(sources)) return text;
  const at = sources.items.findIndex(({ key }) => isScalar(key) && String(key.value) === name);
  // A comment in front of the first member is one of the map in the parser's eyes, and stays in any case.
  sources.items.splice(at, 1);
  return document.toString({ lineWidth: 0 });
}

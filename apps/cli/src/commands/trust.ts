import { listTrusted, projectSources, revoke, trust } from "@docsearch/service/config";
import { CONFIG_FILES } from "@docsearch/service/project";
import { DocsearchError } from "@docsearch/spec";
import { escapeLine } from "../output/escape.js";
import { counted } from "../output/numbers.js";
import { printJson } from "../output/print-json.js";
import { warn } from "../output/warn.js";
import { projectRoot } from "../project.js";

interface TrustFlags {
  readonly list?: boolean;
  readonly revoke?: boolean;
  readonly json?: boolean;
}

/** Notes in the user's own folder that the config file of this project may name the paths outside of it that it names now. */
export async function trustCommand({
  list = false,
  revoke: isRevoked = false,
  json = false,
}: TrustFlags): Promise<void> {
  if (list && isRevoked) throw bothGiven();
  if (list) return listAll(json);
  const root = projectRoot();
  if (isRevoked) return takeBack(root, json);
  const config = projectSources(root, process.env);
  if (config === undefined) throw noConfig(root);
  const outside = config.sources.filter(({ access }) => access !== "inside");
  if (outside.length === 0) {
    if (json) printJson({ config: config.identity, paths: [] });
    else
      process.stdout.write(`${escapeLine(config.file)} names no path outside the project; there is nothing to allow\n`);
    return;
  }
  const paths = [...new Set(outside.map(({ real }) => real))].sort();
  trust(process.env, config.identity, paths);
  if (json) printJson({ config: config.identity, paths });
  else {
    const lines = outside.map(({ name, path, real }) => `${name.padEnd(12)}  ${path}  ${real}`);
    process.stdout.write(`${lines.map(escapeLine).join("\n")}\n`);
    const what = counted(outside.length, "source");
    process.stdout.write(`${what} outside the project may be read now; back: docsearch trust --revoke\n`);
  }
}

function listAll(json: boolean): void {
  const trusted = listTrusted(process.env);
  if (json) printJson({ trusted });
  else {
    for (const { config, paths } of trusted) {
      for (const path of paths) process.stdout.write(`${escapeLine(`${config}  ${path}`)}\n`);
    }
  }
  if (trusted.length === 0) warn("nothing is allowed; docsearch trust does so for the config file of a project");
}

function takeBack(root: string, json: boolean): void {
  const isRevoked = revoke(process.env, root);
  if (json) printJson({ project: root, revoked: isRevoked });
  else if (isRevoked)
    process.stdout.write(
      `the config file of ${escapeLine(root)} may no longer name paths outside the project; what is indexed of them stays: docsearch sources remove <name>\n`,
    );
  else process.stdout.write(`the config file of ${escapeLine(root)} was not trusted; nothing has changed\n`);
}

function bothGiven(): DocsearchError {
  const expected = "one of --list and --revoke";
  return new DocsearchError("CONFIG_INVALID", `--list and --revoke are given both; expected ${expected}`, {
    setting: "--list",
    value: "--revoke",
    expected,
  });
}

function noConfig(root: string): DocsearchError {
  const expected = `a ${CONFIG_FILES.join(", ")} in it or above, up to the root of the git repository`;
  return new DocsearchError("NOT_FOUND", `${root} has no config file; expected ${expected}`, {
    what: "config file",
    name: root,
  });
}

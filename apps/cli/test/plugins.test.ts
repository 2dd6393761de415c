import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { skillText } from "@docsearch/service/skill-text";
import { describe, expect, test } from "vitest";
import { MCP_CLIENTS, SERVER_NAME, serverFor } from "../src/mcp-clients.js";

const repository = join(import.meta.dirname, "..", "..", "..");
const plugin = join(repository, "plugins", "docsearch");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly [key: string]: unknown;
}

function json(...path: readonly string[]): Manifest {
  return JSON.parse(readFileSync(join(repository, ...path), "utf8"));
}

const server = json("apps", "server", "package.json");

/** What `mcp install` writes for a client that starts servers in the project's folder. */
function entryOf(id: string): object {
  const client = MCP_CLIENTS.find((candidate) => candidate.id === id);
  if (client?.scope !== "project") throw new Error(`${id} is no client of a project`);
  return { [client.key]: { [SERVER_NAME]: client.entry(serverFor(client, "/anywhere")) } };
}

const PLUGIN_MANIFESTS = [
  ".claude-plugin/plugin.json",
  ".codex-plugin/plugin.json",
  "gemini-extension.json",
  "manifest.json",
];

test.each(PLUGIN_MANIFESTS)("%s has the server's name and version", (path) => {
  const manifest = json("plugins", "docsearch", path);
  expect([manifest.name, manifest.version]).toEqual([SERVER_NAME, server.version]);
  expect(manifest.description).toBe(json("apps", "server", "server.json").description);
});

test("the plugin starts the server as mcp install does", () => {
  expect(json("plugins", "docsearch", ".mcp.json")).toEqual(entryOf("claude-code"));
  expect(json("plugins", "docsearch", "gemini-extension.json")).toMatchObject(entryOf("gemini"));
});

test("the files that a plugin names are there", () => {
  const codex = json("plugins", "docsearch", ".codex-plugin/plugin.json");
  const gemini = json("plugins", "docsearch", "gemini-extension.json");
  for (const path of [codex.skills, codex.mcpServers, gemini.contextFileName]) {
    expect([path, existsSync(join(plugin, String(path)))]).toEqual([path, true]);
  }
});

describe("marketplaces", () => {
  test.each([".claude-plugin/marketplace.json", ".agents/plugins/marketplace.json"])("%s lists the plugin", (path) => {
    const { plugins } = json(path) as unknown as {
      readonly plugins: readonly { readonly name: string; readonly source: string | { readonly path: string } }[];
    };
    expect(plugins.map(({ name }) => name)).toEqual([SERVER_NAME]);
    const [{ source } = { source: "" }] = plugins;
    const folder = typeof source === "string" ? source : source.path;
    expect(join(repository, folder)).toBe(plugin);
  });

  test("the one of Claude Code has the server's version", () => {
    const marketplace = json(".claude-plugin/marketplace.json");
    expect(marketplace).toMatchObject({
      metadata: { version: server.version },
      plugins: [{ version: server.version }],
    });
  });
});

test("the bundle starts the server's command with the folder that the user chooses, and names its tools", () => {
  const manifest = json("plugins", "docsearch", "manifest.json");
  const bin = (server.bin as Record<string, string>)["docsearch-mcp"];
  const entry = `node_modules/${server.name}/${bin}`;
  expect(manifest).toMatchObject({
    manifest_version: "0.3",
    server: {
      type: "node",
      entry_point: entry,
      mcp_config: { command: "node", args: [`\${__dirname}/${entry}`, "--project", `\${user_config.project}`] },
    },
    compatibility: { runtimes: server.engines },
    user_config: { project: { type: "directory", required: true } },
  });
  const source = readFileSync(join(repository, "apps", "server", "src", "tools.ts"), "utf8");
  const tools = [...source.matchAll(/name: "(\w+)",\n\s+description: "([^"]+)"/g)].map(([, name, description]) => ({
    name,
    description: `${description?.split(". ")[0]?.replace(/\.$/, "")}.`,
  }));
  expect(manifest.tools).toEqual(tools);
});

test("the skill is what docsearch skill prints of an index of which nothing is known, and a valid one", () => {
  const [folder = ""] = readdirSync(join(plugin, "skills"));
  const text = readFileSync(join(plugin, "skills", folder, "SKILL.md"), "utf8");
  expect(text).toBe(skillText([]));
  const [, name, description = ""] = /^---\nname: ([a-z0-9-]{1,64})\ndescription: (".*")\n---\n/.exec(text) ?? [];
  expect(name).toBe(folder);
  expect(JSON.parse(description).length).toBeLessThanOrEqual(1024);
});

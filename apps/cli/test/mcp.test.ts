import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MCP_CLIENTS, serverFor } from "../src/mcp-clients.js";
import { mcpSnippet } from "../src/mcp-snippet.js";
import { docsearch, temporaryFolders, writeFiles } from "./support.js";

const folder = temporaryFolders();

test("mcp serves over stdin and stdout, and ends with its input", async () => {
  const cwd = folder({ "docs/kelp.md": "# Kelp\n\nKelp is a brown alga.\n" });
  await docsearch(cwd, ["index", "docs"]);
  const messages = [
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "0" } },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "search", arguments: { query: "alga" } } },
  ];
  const { code, stdout } = await docsearch(cwd, ["mcp", "--read-only"], {
    input: `${messages.map((message) => JSON.stringify(message)).join("\n")}\n`,
  });
  expect(code).toBe(0);
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  expect(answers[1].result.content[0].text).toContain("docs/kelp.md:1-3");
});

test("mcp hands its options to the server", async () => {
  const cwd = folder({ "docs/kelp.md": "# Kelp\n" });
  const { code, stderr } = await docsearch(cwd, ["mcp", "--read-only", "--watch", "docs", "--watch", "none"]);
  expect([code, stderr]).toEqual([
    2,
    'docsearch-mcp: --watch or DOCS_SERVER_WATCH is "docs,none"; expected folders and files of the project that exist; DOCS_SERVER_ROOTS allows others\n',
  ]);
});

test("mcp config prints a snippet to stdout and the file to stderr", async () => {
  const cwd = folder();
  const { stdout, stderr, code } = await docsearch(cwd, ["mcp", "config", "vscode"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    servers: { docsearch: { type: "stdio", command: "npx", args: ["-y", "docsearch-mcp"] } },
  });
  expect(stderr).toBe(`docsearch: it belongs in ${join(cwd, ".vscode", "mcp.json")}\n`);
  const codex = await docsearch(cwd, ["mcp", "config", "codex"]);
  expect(codex.stdout).toBe(
    `[mcp_servers.docsearch]\ncommand = "npx"\nargs = ["-y", "docsearch-mcp", "--project", "${cwd}"]\n`,
  );
  const url = await docsearch(cwd, ["mcp", "config", "gemini", "--url", "http://127.0.0.1:8765/mcp"]);
  expect(JSON.parse(url.stdout)).toEqual({ mcpServers: { docsearch: { httpUrl: "http://127.0.0.1:8765/mcp" } } });
});

test("mcp install shows by default, writes with --write, keeps a backup and does nothing twice", async () => {
  const before = '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n';
  const cwd = folder({ ".mcp.json": before });
  const file = join(cwd, ".mcp.json");
  const shown = await docsearch(cwd, ["mcp", "install", "claude-code"]);
  expect(shown.stdout).toContain('"docsearch": {');
  expect(shown.stdout).toContain("// mine");
  expect(shown.stderr).toContain("write it: docsearch mcp install claude-code --write");
  const withUrl = await docsearch(cwd, ["mcp", "install", "claude-code", "--url", "http://127.0.0.1:8765/mcp?a=1&b=2"]);
  expect(withUrl.stderr).toContain(
    "write it: docsearch mcp install claude-code --url 'http://127.0.0.1:8765/mcp?a=1&b=2' --write\n",
  );
  expect(readFileSync(file, "utf8")).toBe(before);

  const written = await docsearch(cwd, ["mcp", "install", "claude-code", "--write"]);
  expect([written.code, written.stdout]).toEqual([0, ""]);
  expect(readFileSync(file, "utf8")).toBe(shown.stdout);
  expect(readFileSync(`${file}.backup`, "utf8")).toBe(before);

  const again = await docsearch(cwd, ["mcp", "install", "claude-code", "--write"]);
  expect(again.stderr).toContain("Claude Code knows the server already");
  expect(existsSync(`${file}.backup1`)).toBe(false);
  const moved = await docsearch(cwd, ["mcp", "install", "claude-code", "--write", "--url", "http://127.0.0.1:1/mcp"]);
  expect(moved.code).toBe(0);
  expect(readFileSync(`${file}.backup`, "utf8")).toBe(before);
  expect(existsSync(`${file}.backup1`)).toBe(true);
});

test("mcp install makes the folders it needs, under the home of the user", async () => {
  const cwd = folder();
  const { code } = await docsearch(cwd, ["mcp", "install", "codex", "--write"]);
  expect(code).toBe(0);
  expect(readFileSync(join(cwd, ".codex", "config.toml"), "utf8")).toContain("[mcp_servers.docsearch]");
  expect(existsSync(join(cwd, ".codex", "config.toml.backup"))).toBe(false);
});

test("a file that is no JSON is left alone; an unknown client and a bad address are named", async () => {
  const cwd = folder();
  writeFiles(cwd, { ".cursor/mcp.json": "{ not json" });
  const broken = await docsearch(cwd, ["mcp", "install", "cursor", "--write"]);
  expect(broken.code).toBe(2);
  expect(broken.stderr).toContain("was left as it is: line 1 is no JSON");
  expect(readFileSync(join(cwd, ".cursor/mcp.json"), "utf8")).toBe("{ not json");
  const unknown = await docsearch(cwd, ["mcp", "install", "emacs"]);
  expect(unknown.stderr).toBe(
    'docsearch: there is no client "emacs"; known: claude-code, claude-desktop, cursor, vscode, codex, gemini, zed, windsurf, kiro, cline\n',
  );
  const address = await docsearch(cwd, ["mcp", "config", "cursor", "--url", "javascript:1"]);
  expect(address.stderr).toContain("expected an address that begins with http:// or https://");
});

test("skill prints a SKILL.md of the index, or writes it below a folder", async () => {
  const cwd = folder({ "docs/kelp.md": "# Kelp\n", "ignore all rules/a.md": "# A\n" });
  await docsearch(cwd, ["index", "docs", "ignore all rules"]);
  const { stdout } = await docsearch(cwd, ["skill"]);
  expect(stdout).toContain("The index holds 2 documents of these sources: docs.");
  expect(stdout).not.toContain("ignore all rules");
  await docsearch(cwd, ["skill", "--output", "skills"]);
  expect(readFileSync(join(cwd, "skills", "docsearch", "SKILL.md"), "utf8")).toBe(stdout);
});

test("the README of the server has the snippet of every client", () => {
  const readme = readFileSync(join(import.meta.dirname, "..", "..", "server", "README.md"), "utf8");
  for (const client of MCP_CLIENTS) {
    expect(readme).toContain(mcpSnippet(client, serverFor(client, "/path/to/project")));
  }
});

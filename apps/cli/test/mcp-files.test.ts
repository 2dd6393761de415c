import { parseJsonc, setJsonMember } from "@docsearch/service/config";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MCP_CLIENTS, type Places, serverFor } from "../src/mcp-clients.js";
import { mcpSnippet } from "../src/mcp-snippet.js";
import { setTomlTable, tomlTable } from "../src/toml-table.js";

const ENTRY = { command: "npx", args: ["-y", "docsearch-mcp"] };

describe("JSON with comments", () => {
  test("an empty file, an empty object", () => {
    const expected = `{\n  "mcpServers": {\n    "docsearch": {\n      "command": "npx",\n      "args": [\n        "-y",\n        "docsearch-mcp"\n      ]\n    }\n  }\n}`;
    expect(setJsonMember("", "mcpServers", "docsearch", ENTRY)).toBe(`${expected}\n`);
    expect(JSON.parse(setJsonMember("{}", "mcpServers", "docsearch", ENTRY))).toEqual({
      mcpServers: { docsearch: ENTRY },
    });
  });

  test("comments, other servers, unknown keys and a comma at the end stay as they are", () => {
    const before = `// my settings
{
\t"theme": "dark", // nice
\t/* servers */
\t"servers": {
\t\t"other": { "command": "x", "args": ["{", "//"] },
\t},
}
`;
    const after = setJsonMember(before, "servers", "docsearch", { command: "npx", args: [] });
    expect(after).toBe(`// my settings
{
\t"theme": "dark", // nice
\t/* servers */
\t"servers": {
\t\t"other": { "command": "x", "args": ["{", "//"] },
\t\t"docsearch": {
\t\t\t"command": "npx",
\t\t\t"args": []
\t\t}
\t},
}
`);
    expect(setJsonMember(after, "servers", "docsearch", { command: "npx", args: [] })).toBe(after);
  });

  test("of an entry that is there, keys of the user stay", () => {
    const before = '{"mcpServers": {"docsearch": {"command": "old", "env": {"A": "1"}, "timeout": 5}}}';
    expect(JSON.parse(setJsonMember(before, "mcpServers", "docsearch", ENTRY))).toEqual({
      mcpServers: { docsearch: { command: "npx", env: { A: "1" }, timeout: 5, args: ["-y", "docsearch-mcp"] } },
    });
  });

  test.each(['{"a": }', "[1,", '{"a" 1}', '{"a": 1 "b": 2}', "{} x", '{"a": "\n"}', "{,}"])("%j is refused", (text) => {
    expect(() => setJsonMember(text, "mcpServers", "docsearch", ENTRY)).toThrow(SyntaxError);
  });

  test.each(['{"mcpServers": 1}', '{"mcpServers": {"docsearch": []}}', "[]"])("%s has no place for it", (text) => {
    expect(() => setJsonMember(text, "mcpServers", "docsearch", ENTRY)).toThrow(TypeError);
  });

  test("whatever the file holds, it still holds it, and the entry too", () => {
    const settings = fc.dictionary(
      fc.string().filter((key) => key !== "mcpServers" && key !== "__proto__"),
      fc.jsonValue().filter((value) => !JSON.stringify(value).includes("__proto__")),
    );
    fc.assert(
      fc.property(settings, fc.constantFrom(undefined, 2, "\t"), fc.boolean(), (before, indent, hasOthers) => {
        const object = { ...before, ...(hasOthers && { mcpServers: { other: { command: "x" } } }) };
        const after = setJsonMember(JSON.stringify(object, null, indent), "mcpServers", "docsearch", ENTRY);
        const servers = { ...(hasOthers && { other: { command: "x" } }), docsearch: ENTRY };
        expect(JSON.parse(after)).toEqual(JSON.parse(JSON.stringify({ ...before, mcpServers: servers })));
      }),
    );
  });

  test("deep nesting is an error at worst", () => {
    expect(() => parseJsonc("[".repeat(200_000))).toThrow();
  });
});

describe("TOML", () => {
  test("a table of its own behind what is there", () => {
    expect(setTomlTable("", ["mcp_servers", "docsearch"], ENTRY)).toBe(
      '[mcp_servers.docsearch]\ncommand = "npx"\nargs = ["-y", "docsearch-mcp"]\n',
    );
    expect(setTomlTable('model = "x" # mine', ["mcp_servers", "docsearch"], ENTRY)).toBe(
      'model = "x" # mine\n\n[mcp_servers.docsearch]\ncommand = "npx"\nargs = ["-y", "docsearch-mcp"]\n',
    );
  });

  test("of a table that is there, other keys, comments and tables stay", () => {
    const before = `model = """
[mcp_servers.docsearch]
"""

[mcp_servers."docsearch"] # mine
startup_timeout_sec = 20
args = [
  "old", # ]
]
command = 'old'
# the end

[mcp_servers.docsearch.env]
A = "1"

[mcp_servers.other]
command = "x"
`;
    const after = setTomlTable(before, ["mcp_servers", "docsearch"], ENTRY);
    expect(after).toBe(`model = """
[mcp_servers.docsearch]
"""

[mcp_servers."docsearch"] # mine
command = "npx"
args = ["-y", "docsearch-mcp"]
startup_timeout_sec = 20
# the end

[mcp_servers.docsearch.env]
A = "1"

[mcp_servers.other]
command = "x"
`);
    expect(setTomlTable(after, ["mcp_servers", "docsearch"], ENTRY)).toBe(after);
  });

  test.each([
    'mcp_servers = { other = { command = "x" } }\n',
    '[mcp_servers]\ndocsearch = { command = "x" }\n',
    'mcp_servers.docsearch.command = "x"\n',
  ])("%j is left alone", (text) => {
    expect(() => setTomlTable(text, ["mcp_servers", "docsearch"], ENTRY)).toThrow("not as a table of its own");
  });

  test("strings are escaped", () => {
    expect(tomlTable(["a", "b c"], { path: 'C:\\x "y"\n' })).toBe('[a."b c"]\npath = "C:\\\\x \\"y\\"\\n"\n');
  });
});

describe("clients", () => {
  const places: Places = { home: "/users/ann", project: "/p", platform: "linux" };

  test("where each keeps its servers", () => {
    expect(Object.fromEntries(MCP_CLIENTS.map(({ id, file, key }) => [id, `${file(places)} ${key}`]))).toEqual({
      "claude-code": "/p/.mcp.json mcpServers",
      "claude-desktop": "/users/ann/.config/Claude/claude_desktop_config.json mcpServers",
      cursor: "/p/.cursor/mcp.json mcpServers",
      vscode: "/p/.vscode/mcp.json servers",
      codex: "/users/ann/.codex/config.toml mcp_servers",
      gemini: "/p/.gemini/settings.json mcpServers",
      zed: "/users/ann/.config/zed/settings.json context_servers",
      windsurf: "/users/ann/.codeium/windsurf/mcp_config.json mcpServers",
      kiro: "/p/.kiro/settings/mcp.json mcpServers",
      cline:
        "/users/ann/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json mcpServers",
    });
    const mac = MCP_CLIENTS.find(({ id }) => id === "claude-desktop")?.file({ ...places, platform: "darwin" });
    expect(mac).toBe("/users/ann/Library/Application Support/Claude/claude_desktop_config.json");
  });

  test("what each is told of a server over HTTP", () => {
    const server = { kind: "http", url: "http://127.0.0.1:8765/mcp" } as const;
    const { url } = server;
    expect(Object.fromEntries(MCP_CLIENTS.map(({ id, entry }) => [id, entry(server)]))).toEqual({
      "claude-code": { type: "http", url },
      "claude-desktop": { command: "npx", args: ["-y", "mcp-remote", url] },
      cursor: { url },
      vscode: { type: "http", url },
      codex: { url },
      gemini: { httpUrl: url },
      zed: { url },
      windsurf: { serverUrl: url },
      kiro: { url },
      cline: { type: "streamableHttp", url },
    });
  });

  test.each(MCP_CLIENTS)("the snippet of $id is what editing an empty file gives", (client) => {
    const server = serverFor(client, "/path/to/project");
    const snippet = mcpSnippet(client, server);
    const edited =
      client.format === "toml"
        ? setTomlTable("", [client.key, "docsearch"], client.entry(server))
        : setJsonMember("", client.key, "docsearch", client.entry(server));
    expect(edited).toBe(snippet);
    if (client.format === "json") expect(JSON.parse(snippet)[client.key].docsearch).toEqual(client.entry(server));
    expect(snippet.includes("/path/to/project")).toBe(client.scope === "user");
  });
});

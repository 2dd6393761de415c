import { join } from "node:path";

/** How the server is started, or where it is reached. */
export type ServerAddress =
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "http"; readonly url: string };

/** Where a person's files are. */
export interface Places {
  readonly home: string;
  /** Folder of the project that is searched. */
  readonly project: string;
  readonly platform: NodeJS.Platform;
  /** `APPDATA` on Windows. */
  readonly appData?: string;
}

/** A program that can call the server, and how it is told of it. */
export interface McpClient {
  readonly id: string;
  readonly title: string;
  /** `project`: the file lies in the project and the client starts servers there. `user`: it is for all projects. */
  readonly scope: "project" | "user";
  readonly format: "json" | "toml";
  /** Key of the table that holds the servers. */
  readonly key: string;
  readonly file: (places: Places) => string;
  readonly entry: (server: ServerAddress) => Readonly<Record<string, unknown>>;
}

/** Name of the server in every client. */
export const SERVER_NAME = "docsearch";

/** The one table of clients, by name. */
export const MCP_CLIENTS: readonly McpClient[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    scope: "project",
    format: "json",
    key: "mcpServers",
    file: ({ project }) => join(project, ".mcp.json"),
    entry: (server) => (server.kind === "stdio" ? started(server) : { type: "http", url: server.url }),
  },
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    scope: "user",
    format: "json",
    key: "mcpServers",
    file: (places) => join(configFolder(places), "Claude", "claude_desktop_config.json"),
    // It starts programs only; the bridge speaks HTTP for it.
    entry: (server) =>
      server.kind === "stdio" ? started(server) : { command: "npx", args: ["-y", "mcp-remote", server.url] },
  },
  {
    id: "cursor",
    title: "Cursor",
    scope: "project",
    format: "json",
    key: "mcpServers",
    file: ({ project }) => join(project, ".cursor", "mcp.json"),
    entry: (server) => (server.kind === "stdio" ? started(server) : { url: server.url }),
  },
  {
    id: "vscode",
    title: "VS Code",
    scope: "project",
    format: "json",
    key: "servers",
    file: ({ project }) => join(project, ".vscode", "mcp.json"),
    entry: (server) =>
      server.kind === "stdio" ? { type: "stdio", ...started(server) } : { type: "http", url: server.url },
  },
  {
    id: "codex",
    title: "Codex",
    scope: "user",
    format: "toml",
    key: "mcp_servers",
    file: ({ home }) => join(home, ".codex", "config.toml"),
    entry: (server) => (server.kind === "stdio" ? started(server) : { url: server.url }),
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    scope: "project",
    format: "json",
    key: "mcpServers",
    file: ({ project }) => join(project, ".gemini", "settings.json"),
    // Its plain `url` means the old transport.
    entry: (server) => (server.kind === "stdio" ? started(server) : { httpUrl: server.url }),
  },
  {
    id: "zed",
    title: "Zed",
    scope: "user",
    format: "json",
    key: "context_servers",
    file: ({ home, platform, appData }) =>
      platform === "win32"
        ? join(appData ?? home, "Zed", "settings.json")
        : join(home, ".config", "zed", "settings.json"),
    entry: (server) => (server.kind === "stdio" ? { source: "custom", ...started(server) } : { url: server.url }),
  },
  {
    id: "windsurf",
    title: "Windsurf",
    scope: "user",
    format: "json",
    key: "mcpServers",
    file: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    entry: (server) => (server.kind === "stdio" ? started(server) : { serverUrl: server.url }),
  },
  {
    id: "kiro",
    title: "Kiro",
    scope: "project",
    format: "json",
    key: "mcpServers",
    file: ({ project }) => join(project, ".kiro", "settings", "mcp.json"),
    entry: (server) => (server.kind === "stdio" ? started(server) : { url: server.url }),
  },
  {
    id: "cline",
    title: "Cline",
    scope: "user",
    format: "json",
    key: "mcpServers",
    file: (places) =>
      join(
        configFolder(places),
        "Code",
        "User",
        "globalStorage",
        "saoudrizwan.claude-dev",
        "settings",
        "cline_mcp_settings.json",
      ),
    entry: (server) => (server.kind === "stdio" ? started(server) : { type: "streamableHttp", url: server.url }),
  },
];

function started({ command, args }: Extract<ServerAddress, { kind: "stdio" }>): Readonly<Record<string, unknown>> {
  return { command, args };
}

/** Where programs of the desktop keep their settings. */
function configFolder({ home, platform, appData }: Places): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return platform === "win32" ? (appData ?? join(home, "AppData", "Roaming")) : join(home, ".config");
}

/** How the server is started for a client: in the project's folder by itself, else with the folder named. */
export function serverFor({ scope }: McpClient, project: string): ServerAddress {
  const args = ["-y", "docsearch-mcp", ...(scope === "user" ? ["--project", project] : [])];
  return { kind: "stdio", command: "npx", args };
}

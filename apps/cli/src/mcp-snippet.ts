import { type McpClient, SERVER_NAME, type ServerAddress } from "./mcp-clients.js";
import { tomlTable } from "./toml-table.js";

/** What a client's file must hold, by itself: for copying. Ends with a line break. */
export function mcpSnippet({ format, key, entry }: McpClient, server: ServerAddress): string {
  if (format === "toml") return tomlTable([key, SERVER_NAME], entry(server));
  return `${JSON.stringify({ [key]: { [SERVER_NAME]: entry(server) } }, null, 2)}\n`;
}

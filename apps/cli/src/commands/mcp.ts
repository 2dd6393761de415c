import { runServer } from "docsearch-mcp/run";
import type { Flags } from "../setting-flags.js";

interface McpFlags extends Flags {
  readonly http?: boolean;
  readonly host?: string;
  readonly port?: string;
  readonly project?: string;
  readonly readOnly?: boolean;
  readonly watch?: readonly string[];
  readonly profile?: string;
  readonly structured?: boolean;
}

/** Starts the MCP server in this process. */
export async function mcpCommand(_operands: readonly string[], flags: McpFlags): Promise<void> {
  const { http, host, port, project, readOnly, watch = [], profile, structured } = flags;
  const args = [
    ...(http ? ["--http"] : []),
    ...(host === undefined ? [] : [`--host=${host}`]),
    ...(port === undefined ? [] : [`--port=${port}`]),
    ...(project === undefined ? [] : [`--project=${project}`]),
    ...(readOnly ? ["--read-only"] : []),
    ...watch.map((path) => `--watch=${path}`),
    ...(profile === undefined ? [] : [`--profile=${profile}`]),
    ...(structured ? ["--structured"] : []),
  ];
  await runServer(args);
}

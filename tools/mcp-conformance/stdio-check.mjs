// Checks any server over stdin and stdout. usage: node stdio-check.mjs COMMAND [ARGUMENT...]
//
// In both eras: every line of stdout is a message, a line that is no JSON does no harm, and the process ends within
// two seconds after its input and after SIGTERM.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const [command = "", ...args] = process.argv.slice(2);
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const clientInfo = { name: "conformance", version: "0" };
const openings = {
  legacy: { method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
  modern: { method: "server/discover", params: { _meta: meta } },
};
let failed = 0;

/** @param {string} what @param {boolean} holds @param {unknown} detail */
function check(what, holds, detail = "") {
  if (!holds) failed++;
  process.stdout.write(`    ${holds ? "ok    " : "FAILED"} ${what} ${detail}\n`);
}

for (const [era, opening] of Object.entries(openings)) {
  for (const end of ["end of input", "SIGTERM"]) {
    const started = performance.now();
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
    const exited = once(child, "exit");
    /** @type {{ id?: number, result?: unknown }[]} */
    const messages = [];
    /** @type {string[]} */
    const junk = [];
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        try {
          const message = JSON.parse(line);
          if (message.jsonrpc !== "2.0") throw new Error("no JSON-RPC");
          messages.push(message);
        } catch {
          junk.push(line);
        }
      }
    });
    /** @param {number} id */
    const answered = async (id) => {
      for (let waited = 0; waited < 15_000; waited += 5) {
        if (messages.some((message) => message.id === id && message.result !== undefined)) return true;
        await sleep(5);
      }
      return false;
    };
    /** @param {object} message */
    const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    send({ id: 1, ...opening });
    check(`${era} opening`, await answered(1), `after ${(performance.now() - started).toFixed(0)} ms`);
    if (era === "legacy") send({ method: "notifications/initialized" });
    child.stdin.write("this is not json\n");
    send({ id: 2, method: "tools/list", params: era === "modern" ? { _meta: meta } : {} });
    check(`${era} tools behind a line that is no JSON`, await answered(2));
    const ending = performance.now();
    if (end === "SIGTERM") child.kill("SIGTERM");
    else child.stdin.end();
    const ended = await Promise.race([exited, sleep(2000)]);
    check(`${era} end at ${end}`, ended !== undefined, `after ${(performance.now() - ending).toFixed(0)} ms`);
    if (ended === undefined) child.kill("SIGKILL");
    check(`${era} stdout is pure`, junk.length === 0 && rest === "", junk[0] ?? "");
  }
}
process.exit(failed === 0 ? 0 : 1);

#!/usr/bin/env node
// Plain enough for an old Node to read, so that it can say what is wrong.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`docsearch: Node 20.19 or newer is needed; this is ${process.versions.node}\n`);
  process.exitCode = 2;
} else {
  // From Node 22.8 on, compiled modules are kept in the system's folder for temporary files: a start takes an eighth less.
  const { default: module } = await import("node:module");
  module.enableCompileCache?.();
  await import("../dist/main.js");
}

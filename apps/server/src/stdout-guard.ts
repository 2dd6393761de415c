import { Writable } from "node:stream";

/**
 * Takes stdout for the protocol: what anything else writes there goes to stderr from now on.
 *
 * @returns the way to the real stdout
 */
export function guardStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // Only the protocol ends it; what others would write last goes where the rest went.
  stdout.end = (last?: unknown) => {
    if (typeof last === "string" || last instanceof Uint8Array) stderr.write(last);
    return stdout;
  };
  const wire = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      write(chunk, (error) => done(error));
    },
  });
  // Each message that waits for a slow reader has a listener.
  wire.setMaxListeners(0);
  stdout.on("error", (error) => wire.destroy(error));
  return wire;
}

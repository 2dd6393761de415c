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
  const wire = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      write(chunk, (error) => done(error));
    },
  });
  stdout.on("error", (error) => wire.destroy(error));
  return wire;
}

import { connect } from "node:net";

/** Why a server cannot be connected to within so many milliseconds; `undefined` when it can. */
export function unreachableReason(server: string, timeoutMs: number): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(server);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) || (protocol === "http:" ? 80 : 443) });
    const timer = setTimeout(() => end("no connection in time"), timeoutMs);
    const end = (reason: string | undefined): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reason);
    };
    socket.once("connect", () => end(undefined));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

/**
 * What a failure says about a file: its path in the source and the system's reason. The system's own message, with
 * the absolute path, stays in `cause`.
 */
export function fileError(path: string, cause: unknown): Error {
  return new Error(`${path} cannot be read: ${systemReason(cause)}`, { cause });
}

/** `ENOENT: no such file or directory` of `ENOENT: no such file or directory, open '/home/...'`. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? (error.message.split(",", 1)[0] as string) : error.message;
}

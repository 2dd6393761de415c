/** Exit codes of every command; documented in the help and the README. A signal adds 128 to its number. */
export const EXIT = {
  /** Done; a search found something. */
  ok: 0,
  /** Done, and the answer is no: nothing found, files that could not be read, faults in the index. */
  negative: 1,
  /** The command could not do its work, or was not understood. */
  error: 2,
} as const;

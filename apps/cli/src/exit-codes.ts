/** Exit codes of every command; documented in the help and the README. */
export const EXIT = {
  /** Done; a search found something. */
  ok: 0,
  /** A search found nothing; an index run left out files that could not be read. */
  nothing: 1,
  /** The command failed. */
  error: 2,
} as const;

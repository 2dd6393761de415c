/** Codes that start and end a style (ECMA-48, section 8.3.117). */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], yellow: [33, 39], cyan: [36, 39] } as const;

export type Styler = (style: keyof typeof CODES, text: string) => string;

/**
 * Styles text for a terminal, and leaves it plain elsewhere. `FORCE_COLOR` decides before all (`0` and `false`: never),
 * then `NO_COLOR`, if it is not empty, then `TERM=dumb`.
 */
export function styler(stream: Pick<NodeJS.WriteStream, "isTTY">): Styler {
  if (!isColoured(stream)) return (_, text) => text;
  return (style, text) => `\u001b[${CODES[style][0]}m${text}\u001b[${CODES[style][1]}m`;
}

function isColoured({ isTTY }: Pick<NodeJS.WriteStream, "isTTY">): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTTY === true && !NO_COLOR && TERM !== "dumb";
}

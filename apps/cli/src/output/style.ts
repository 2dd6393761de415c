import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Styles text for a terminal; plain when the stream is none or NO_COLOR is set. */
export function styler(stream: NodeJS.WriteStream): (format: Format, text: string) => string {
  const coloured = stream.isTTY === true && !process.env.NO_COLOR;
  return (format, text) => (coloured ? styleText(format, text) : text);
}

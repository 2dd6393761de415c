/** The text with every match of `pattern` as blanks: what is behind it stands where it stood. */
export function blankOut(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) => match.replace(/[^\r\n]/g, " "));
}

/** Runs of white space as one blank each, none at the ends. Single blanks stay as they are: to replace each takes longer. */
export function foldBlanks(text: string): string {
  return text.replace(/[^\S ]\s*| \s+/g, " ").trim();
}

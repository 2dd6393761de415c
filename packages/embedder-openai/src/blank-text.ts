const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Whether a text holds nothing that can be seen: models take white space, control and zero-width characters off it. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

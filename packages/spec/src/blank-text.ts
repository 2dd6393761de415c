const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Whether a text holds nothing that can be seen: models take white space, control and zero-width characters off it.
 * Embedders and rerankers do not send such texts.
 */
export function isBlankText(text: string): boolean {
  return !VISIBLE.test(text);
}

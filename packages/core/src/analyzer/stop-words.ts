/**
 * English words that carry little meaning in a query: the list of the Snowball project
 * (https://snowballstem.org/algorithms/english/stop.txt) without its contractions, and the modal verbs `can`,
 * `will`, `shall`, `may`, `might`, `must`. 130 words. They are kept in the index and weigh less in a query.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
  it its itself they them their theirs themselves what which who whom this that these those am is are was were be
  been being have has had having do does did doing would should could ought a an the and but if or because as until
  while of at by for with about against between into through during before after above below to from up down in out
  on off over under again further then once here there when where why how all any both each few more most other some
  such no nor not only own same so than too very cannot can will shall may might must`.split(/\s+/),
);

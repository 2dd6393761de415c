/** A block whose pieces need the lines around them repeated: code its fences, a table its header. */
export interface Wrap {
  readonly start: number;
  /** A piece that starts here or behind it, before `contentEnd`, needs `open`. */
  readonly contentStart: number;
  /** A piece that ends behind `start`, here at the latest, needs `close`. */
  readonly contentEnd: number;
  readonly open: string;
  readonly close: string;
}

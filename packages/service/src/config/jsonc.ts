/** A value in a text of JSON with comments and commas before closing brackets, as editors keep their settings. */
export interface JsoncNode {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** What stands there; of objects and arrays it is made by `plainValue`. */
  readonly literal?: string | number | boolean | null;
  /** Present for an array. */
  readonly items?: readonly JsoncNode[];
  /** Present for an object. */
  readonly members?: readonly JsoncMember[];
  /** Of an object: offset of the comma behind its last member. */
  readonly trailingComma?: number;
}

export interface JsoncMember {
  readonly key: string;
  /** Offset of the key. */
  readonly start: number;
  readonly value: JsoncNode;
}

/** Deeper texts are no settings. */
const MOST_DEPTH = 100;

/** @throws `SyntaxError` that says where the text is no JSON */
export function parseJsonc(text: string): JsoncNode {
  const parser = new Parser(text);
  return parser.document();
}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsoncNode {
    if (this.#text.charCodeAt(0) === 0xfeff) this.#at++;
    const node = this.#value();
    this.#skip();
    if (this.#at < this.#text.length) throw this.#wrong();
    return node;
  }

  #value(): JsoncNode {
    this.#skip();
    const start = this.#at;
    const first = this.#text[start];
    if (first === "{" || first === "[") {
      if (++this.#depth > MOST_DEPTH) throw this.#wrong();
      const node = first === "{" ? this.#object(start) : this.#array(start);
      this.#depth--;
      return node;
    }
    const literal =
      first === '"'
        ? this.#string()
        : (JSON.parse(
            this.#take(/(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y),
          ) as JsoncNode["literal"]);
    return { start, end: this.#at, ...(literal !== undefined && { literal }) };
  }

  #object(start: number): JsoncNode {
    const members: JsoncMember[] = [];
    let trailingComma: number | undefined;
    this.#at++;
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === "}") break;
      if (members.length > 0 && trailingComma === undefined) throw this.#wrong();
      const keyStart = this.#at;
      const key = this.#string();
      this.#skip();
      this.#take(/:/y);
      members.push({ key, start: keyStart, value: this.#value() });
      trailingComma = this.#comma();
    }
    this.#at++;
    return { start, end: this.#at, members, ...(trailingComma !== undefined && { trailingComma }) };
  }

  #array(start: number): JsoncNode {
    const items: JsoncNode[] = [];
    let mayGoOn = true;
    this.#at++;
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === "]") break;
      if (!mayGoOn) throw this.#wrong();
      items.push(this.#value());
      mayGoOn = this.#comma() !== undefined;
    }
    this.#at++;
    return { start, end: this.#at, items };
  }

  #comma(): number | undefined {
    this.#skip();
    return this.#text[this.#at] === "," ? this.#at++ : undefined;
  }

  #string(): string {
    const literal = this.#take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    return JSON.parse(literal) as string;
  }

  #skip(): void {
    this.#take(/(?:\s|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw this.#wrong();
    this.#at += found.length;
    return found;
  }

  #wrong(): SyntaxError {
    const line = this.#text.slice(0, this.#at).split("\n").length;
    return new SyntaxError(`line ${line} is no JSON`);
  }
}

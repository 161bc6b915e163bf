/** The first value and its own text, or Go's error message. */
export type DecodedJson = { readonly value: unknown; readonly text: string } | { readonly error: string };

/** Reads JSON as Go's encoding/json does from a stream: everything after the first value is ignored. */
export function decodeFirstJson(text: string): DecodedJson {
  try {
    return { value: JSON.parse(text), text };
  } catch {
    const scan = new Scan(text);
    const error = scan.value();
    if (error !== null) return { error: scan.at === text.length && scan.isBlank ? 'EOF' : error };
    const first = text.slice(0, scan.at);
    return { value: JSON.parse(first), text: first };
  }
}

const WHITE_SPACE = ' \t\r\n';
const LITERALS = ['true', 'false', 'null'];
const SHORT_ESCAPES = 'bfnrt\\/"';
const UNEXPECTED_END = 'unexpected EOF';
const FIRST_PRINTABLE = 0x20;

/**
 * Walks over one value, to its end or to the first error (encoding/json/scanner.go). Each step returns what is wrong,
 * or null.
 */
class Scan {
  readonly #text: string;
  at = 0;
  /** Whether there was only white space so far. */
  isBlank = true;

  constructor(text: string) {
    this.#text = text;
  }

  value(): string | null {
    this.#skipSpace();
    const character = this.#text[this.at];
    if (character === undefined) return UNEXPECTED_END;
    this.isBlank = false;
    switch (character) {
      case '{':
        return this.#object();
      case '[':
        return this.#list();
      case '"':
        return this.#string();
      default: {
        const literal = LITERALS.find((word) => word.startsWith(character));
        if (literal !== undefined) return this.#literal(literal);
        if (character === '-' || isDigit(character)) return this.#number();
        return this.#wrong('looking for beginning of value');
      }
    }
  }

  #object(): string | null {
    this.at++;
    this.#skipSpace();
    if (this.#take('}')) return null;
    for (;;) {
      this.#skipSpace();
      if (this.#text[this.at] !== '"') return this.#wrong('looking for beginning of object key string');
      const key = this.#string();
      if (key !== null) return key;
      this.#skipSpace();
      if (!this.#take(':')) return this.#wrong('after object key');
      const member = this.value();
      if (member !== null) return member;
      this.#skipSpace();
      if (this.#take('}')) return null;
      if (!this.#take(',')) return this.#wrong('after object key:value pair');
    }
  }

  #list(): string | null {
    this.at++;
    this.#skipSpace();
    if (this.#take(']')) return null;
    for (;;) {
      const item = this.value();
      if (item !== null) return item;
      this.#skipSpace();
      if (this.#take(']')) return null;
      if (!this.#take(',')) return this.#wrong('after array element');
    }
  }

  #string(): string | null {
    this.at++;
    for (; ; this.at++) {
      const character = this.#text[this.at];
      if (character === undefined) return UNEXPECTED_END;
      if (character.charCodeAt(0) < FIRST_PRINTABLE) return this.#wrong('in string literal');
      if (character === '"') {
        this.at++;
        return null;
      }
      if (character !== '\\') continue;
      this.at++;
      const problem = this.#escape();
      if (problem !== null) return problem;
    }
  }

  /** Reads an escape sequence, and ends on its last character. */
  #escape(): string | null {
    const character = this.#text[this.at];
    if (character === undefined) return UNEXPECTED_END;
    if (character !== 'u') return SHORT_ESCAPES.includes(character) ? null : this.#wrong('in string escape code');
    for (let digits = 0; digits < 4; digits++) {
      this.at++;
      const digit = this.#text[this.at];
      if (digit === undefined || !/[\da-fA-F]/.test(digit)) return this.#wrong('in \\u hexadecimal character escape');
    }
    return null;
  }

  #literal(word: string): string | null {
    for (const expected of word) {
      if (!this.#take(expected)) return this.#wrong(`in literal ${word} (expecting ${quoted(expected)})`);
    }
    return null;
  }

  #number(): string | null {
    this.#take('-');
    if (!this.#take('0') && !this.#digits()) return this.#wrong('in numeric literal');
    if (this.#take('.') && !this.#digits()) return this.#wrong('after decimal point in numeric literal');
    if (!this.#take('e') && !this.#take('E')) return null;
    if (!this.#take('+')) this.#take('-');
    return this.#digits() ? null : this.#wrong('in exponent of numeric literal');
  }

  #digits(): boolean {
    const start = this.at;
    while (isDigit(this.#text[this.at])) this.at++;
    return this.at > start;
  }

  #take(character: string): boolean {
    if (this.#text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  #skipSpace(): void {
    while (this.at < this.#text.length && WHITE_SPACE.includes(this.#text[this.at] ?? '')) this.at++;
  }

  #wrong(where: string): string {
    const character = this.#text[this.at];
    return character === undefined ? UNEXPECTED_END : `invalid character ${quoted(character)} ${where}`;
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

/** A byte as Go quotes it: `'x'`, `'\n'`, `'"'`. */
function quoted(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  return `'${JSON.stringify(character).slice(1, -1)}'`;
}

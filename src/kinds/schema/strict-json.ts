import type { JsonObject, JsonValue } from '../object/json.ts';
import { BodySyntaxError, type ReadBody } from '../object/kind-schema.ts';
import { setMember } from './decode.ts';

/**
 * Reads JSON as Go's encoding/json does: the paths of keys that are given twice, and Go's words for a mistake. It is
 * slower than `JSON.parse`, and only used for texts with a mistake or with keys given twice.
 */
export function parseStrictJson(text: string): ReadBody {
  const parser = new StrictJson(text);
  return { value: parser.document(), duplicateKeys: parser.duplicateKeys };
}

const DEPTH_LIMIT = 10_000;

class StrictJson {
  readonly duplicateKeys: string[] = [];
  private readonly text: string;
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): JsonValue {
    const value = this.value('', 'looking for beginning of value');
    this.skipSpace();
    if (this.at < this.text.length) this.fail('after top-level value');
    return value;
  }

  private value(path: string, context: string): JsonValue {
    this.skipSpace();
    const char = this.text[this.at];
    if (char === '{') return this.nested(() => this.object(path));
    if (char === '[') return this.nested(() => this.array(path));
    if (char === '"') return this.string();
    if (char === 't') return this.literal('true', true);
    if (char === 'f') return this.literal('false', false);
    if (char === 'n') return this.literal('null', null);
    if (char !== undefined && /[-\d]/.test(char)) return this.number();
    return this.fail(context);
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > DEPTH_LIMIT) throw new BodySyntaxError('exceeded max depth');
    const result = read();
    this.depth--;
    return result;
  }

  private object(path: string): JsonObject {
    const result: JsonObject = {};
    const seen = new Set<string>();
    this.at++;
    this.skipSpace();
    if (this.text[this.at] === '}') {
      this.at++;
      return result;
    }
    for (;;) {
      this.skipSpace();
      if (this.text[this.at] !== '"') this.fail('looking for beginning of object key string');
      const key = this.string();
      const keyPath = path === '' ? key : `${path}.${key}`;
      if (seen.has(key) && !this.duplicateKeys.includes(keyPath)) this.duplicateKeys.push(keyPath);
      seen.add(key);
      this.skipSpace();
      if (this.text[this.at] !== ':') this.fail('after object key');
      this.at++;
      setMember(result, key, this.value(keyPath, 'looking for beginning of value'));
      this.skipSpace();
      const end = this.text[this.at];
      if (end !== ',' && end !== '}') this.fail('after object key:value pair');
      this.at++;
      if (end === '}') return result;
    }
  }

  private array(path: string): JsonValue[] {
    const result: JsonValue[] = [];
    this.at++;
    this.skipSpace();
    if (this.text[this.at] === ']') {
      this.at++;
      return result;
    }
    for (;;) {
      result.push(this.value(`${path}[${result.length}]`, 'looking for beginning of value'));
      this.skipSpace();
      const end = this.text[this.at];
      if (end !== ',' && end !== ']') this.fail('after array element');
      this.at++;
      if (end === ']') return result;
    }
  }

  private string(): string {
    const start = this.at++;
    for (;;) {
      const char = this.text[this.at];
      if (char === '"') break;
      if (char === undefined || char < ' ') this.fail('in string literal');
      if (char === '\\') this.escape();
      this.at++;
    }
    this.at++;
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }

  private escape(): void {
    const char = this.text[++this.at];
    if (char === 'u') {
      for (let i = 0; i < 4; i++) {
        if (!/[\da-fA-F]/.test(this.text[++this.at] ?? '')) this.fail('in \\u hexadecimal character escape');
      }
    } else if (char === undefined || !'"\\/bfnrt'.includes(char)) {
      this.fail('in string escape code');
    }
  }

  private literal<T>(word: string, value: T): T {
    for (let i = 0; i < word.length; i++, this.at++) {
      if (this.text[this.at] !== word[i]) this.fail(`in literal ${word} (expecting '${word[i]}')`);
    }
    return value;
  }

  private number(): number {
    const [text] = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(this.text.slice(this.at)) ?? [''];
    if (text === '') {
      this.at++;
      this.fail('in numeric literal');
    }
    this.at += text.length;
    if (this.text[this.at] === '.') {
      this.at++;
      this.fail('after decimal point in numeric literal');
    }
    return Number(text);
  }

  private skipSpace(): void {
    while (' \t\r\n'.includes(this.text[this.at] ?? 'x')) this.at++;
  }

  private fail(context: string): never {
    const char = this.text[this.at];
    if (char === undefined) throw new BodySyntaxError('unexpected end of JSON input');
    const shown = char === "'" ? `'\\''` : char === '"' ? `'"'` : `'${JSON.stringify(char).slice(1, -1)}'`;
    throw new BodySyntaxError(`invalid character ${shown} ${context}`);
  }
}

/** Where and why a text is not JSON. The JavaScript engine's own message often names no position. */
export interface JsonSyntaxError {
  /** The offset in UTF-16 units; the length of the text when it ends too early. */
  readonly offset: number;
  readonly reason: string;
}

type Expecting = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'end';

const SPACE = /[ \t\r\n]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

const EXPECTED: Readonly<Record<Expecting, string>> = {
  value: 'a value',
  'value or ]': "a value or ']'",
  key: 'a key in double quotes',
  'key or }': "a key in double quotes or '}'",
  colon: "':'",
  comma: "',' or the closing bracket",
  end: 'the end of the document',
};

/**
 * The first syntax error, or null. It runs only after the JavaScript engine refused the text, so it need not be fast.
 */
export function findJsonSyntaxError(text: string): JsonSyntaxError | null {
  // A list of open brackets is used instead of recursion, since the input decides how deep they are nested.
  const open: ('{' | '[')[] = [];
  let expecting: Expecting = 'value';
  let offset = 0;

  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = offset;
    if (!pattern.test(text)) return false;
    offset = pattern.lastIndex;
    return true;
  };
  const afterValue = (): Expecting => (open.length === 0 ? 'end' : 'comma');

  for (;;) {
    skip(SPACE);
    if (offset >= text.length) {
      return expecting === 'end' ? null : { offset, reason: `it ends where ${EXPECTED[expecting]} is expected` };
    }
    const char = text[offset];
    const unexpected = { offset, reason: `expected ${EXPECTED[expecting]}, found ${JSON.stringify(char)}` };
    if (char === '"' && expecting !== 'colon' && expecting !== 'comma' && expecting !== 'end') {
      const end = stringEnd(text, offset);
      if (end < 0) return { offset, reason: 'malformed or unfinished string' };
      offset = end;
      expecting = expecting.startsWith('key') ? 'colon' : afterValue();
    } else if (expecting === 'colon' && char === ':') {
      offset++;
      expecting = 'value';
    } else if (expecting === 'comma' && char === ',') {
      offset++;
      expecting = open.at(-1) === '{' ? 'key' : 'value';
    } else if (char === '}' && open.at(-1) === '{' && (expecting === 'comma' || expecting === 'key or }')) {
      offset++;
      open.pop();
      expecting = afterValue();
    } else if (char === ']' && open.at(-1) === '[' && (expecting === 'comma' || expecting === 'value or ]')) {
      offset++;
      open.pop();
      expecting = afterValue();
    } else if (!expecting.startsWith('value')) {
      return unexpected;
    } else if (char === '{' || char === '[') {
      offset++;
      open.push(char);
      expecting = char === '{' ? 'key or }' : 'value or ]';
    } else if (skip(SCALAR)) {
      expecting = afterValue();
    } else {
      return unexpected;
    }
  }
}

/**
 * The end of the string that begins at `start`, or -1. It is a loop, since a regular expression would overflow the
 * stack on a long string.
 */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return -1;
    if (code !== 0x5c) continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return -1;
    at = ESCAPE.lastIndex - 1;
  }
  return -1;
}

/** The line and column of an offset, both from 1. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = end + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

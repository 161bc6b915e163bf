const DOUBLE = '"';
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** A quoted scalar of a YAML text, and the index behind its closing quote. */
export interface QuotedScalar {
  readonly value: string;
  readonly end: number;
  readonly hasLines: boolean;
}

/** Escapes other than those of a line feed and of code points. */
const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
};
const CODE_POINT_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/**
 * Reads the quoted scalar that begins at `start`. Lines after the first have to be indented by more than `indent`.
 * Returns null when it is not closed, or has something in it that is left to a complete parser.
 */
export function quotedScalar(text: string, start: number, indent: number): QuotedScalar | null {
  const isDouble = text[start] === DOUBLE;
  const quote = text.charCodeAt(start);
  let isPlain = true;
  let hasLines = false;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      if (!isDouble && text.charCodeAt(at + 1) === quote) {
        isPlain = false;
        at++;
        continue;
      }
      const content = text.slice(start + 1, at);
      const value = isPlain ? content : isDouble ? unescaped(content) : folded(content).replaceAll("''", "'");
      return value === null ? null : { value, end: at + 1, hasLines };
    }
    if (code === BACKSLASH && isDouble) {
      isPlain = false;
      // An escaped line feed is looked at as a line feed in the next step.
      if (text.charCodeAt(at + 1) !== LINE_FEED) at++;
    } else if (code === LINE_FEED) {
      isPlain = false;
      hasLines = true;
      if (!continues(text, at + 1, indent)) return null;
    } else if (code < SPACE) return null;
  }
  return null;
}

/** Whether the line is blank or indented by more than `indent` spaces. */
function continues(text: string, lineStart: number, indent: number): boolean {
  let at = lineStart;
  while (text.charCodeAt(at) === SPACE) at++;
  return at - lineStart > indent || text.charCodeAt(at) === LINE_FEED;
}

/** The text with its lines joined: by a space, or by the line feeds of the blank lines between them. */
function folded(content: string): string {
  const [first = '', ...others] = content.split('\n');
  if (others.length === 0) return content;
  let result = first.replace(/ +$/, '');
  let blankLines = 0;
  for (const [i, line] of others.entries()) {
    const isLast = i === others.length - 1;
    const trimmed = isLast ? line.replace(/^ +/, '') : line.trim();
    if (trimmed === '' && !isLast) {
      blankLines++;
      continue;
    }
    result += (blankLines === 0 ? ' ' : '\n'.repeat(blankLines)) + trimmed;
    blankLines = 0;
  }
  return result;
}

const LINE_END = / *\n[ \n]*/y;
const RUN = /[^\\\n ]+| +(?!\n| )/y;

/** The value of the content of a double-quoted scalar, or null for an unknown escape. */
function unescaped(content: string): string | null {
  let result = '';
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(content)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  while (at < content.length) {
    if (content[at] === '\\') {
      const escaped = content[at + 1] ?? '';
      at += 2;
      const digits = CODE_POINT_DIGITS[escaped];
      if (escaped === '\n') {
        while (content[at] === ' ') at++;
      } else if (digits !== undefined) {
        const code = content.slice(at, at + digits);
        const codePoint = /^[0-9a-fA-F]+$/.test(code) && code.length === digits ? Number.parseInt(code, 16) : -1;
        if (codePoint < 0 || codePoint > 0x10ffff) return null;
        result += String.fromCodePoint(codePoint);
        at += digits;
      } else {
        const plain = ESCAPES[escaped];
        if (plain === undefined) return null;
        result += plain;
      }
      continue;
    }
    const run = take(RUN);
    if (run !== null) {
      result += run;
      continue;
    }
    const lines = take(LINE_END);
    if (lines === null) {
      // Spaces at the end of the content stay.
      result += content.slice(at);
      break;
    }
    const feeds = lines.split('\n').length - 1;
    result += feeds === 1 ? ' ' : '\n'.repeat(feeds - 1);
  }
  return result;
}

import { type FunctionDeclaration, functionOf, global, member } from '../check/declarations.ts';
import { INT, listOf, STRING } from '../values/types.ts';
import { CelError, type Outcome, type Value } from '../values/value.ts';

/** The escapes of `strings.quote`. */
const QUOTED: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

const chars = (text: Value): string[] => [...(text as string)];

function outOfRange(index: Value): CelError {
  return new CelError(`index out of range: ${String(index)}`);
}

function charAt(text: Value, index: Value): Outcome {
  const all = chars(text);
  const at = Number(index);
  return at < 0 || at > all.length ? outOfRange(index) : (all[at] ?? '');
}

function substring(text: Value, start: Value, end?: Value): Outcome {
  const all = chars(text);
  const [from, to] = [Number(start), end === undefined ? all.length : Number(end)];
  if (end !== undefined && from > to) {
    return new CelError(`invalid substring range. start: ${String(start)}, end: ${String(end)}`);
  }
  if (from < 0 || from > all.length) return outOfRange(start);
  if (to < 0 || to > all.length) return outOfRange(end as Value);
  return all.slice(from, to).join('');
}

function indexOf(text: Value, part: Value, offset: Value = 0n): Outcome {
  const [all, wanted] = [chars(text), chars(part)];
  const from = Number(offset);
  if (wanted.length === 0) return offset;
  if (from < 0 || from >= all.length) return from < 0 || from > all.length ? outOfRange(offset) : -1n;
  for (let at = from; at <= all.length - wanted.length; at++) {
    if (wanted.every((char, i) => all[at + i] === char)) return BigInt(at);
  }
  return -1n;
}

function lastIndexOf(text: Value, part: Value, offset?: Value): Outcome {
  const [all, wanted] = [chars(text), chars(part)];
  const from = offset === undefined ? all.length : Number(offset);
  if (wanted.length === 0) return BigInt(from);
  if (from < 0 || (offset !== undefined && from >= all.length)) return outOfRange(offset as Value);
  for (let at = Math.min(from, all.length - wanted.length); at >= 0; at--) {
    if (wanted.every((char, i) => all[at + i] === char)) return BigInt(at);
  }
  return -1n;
}

/** An empty text is found before every character and at the end. */
function replace(text: Value, from: Value, to: Value, limit: Value = -1n): Outcome {
  const most = Number(limit) < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  const isEmpty = from === '';
  const parts = isEmpty ? ['', ...chars(text), ''] : (text as string).split(from as string);
  return parts.reduce((whole, part, i) => whole + (i <= most ? (to as string) : (from as string)) + part);
}

function split(text: Value, separator: Value, limit: Value = -1n): Outcome {
  const most = Number(limit);
  if (most === 0) return [];
  const parts = (separator as string) === '' ? chars(text) : (text as string).split(separator as string);
  if (most < 0 || parts.length <= most) return parts;
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator as string)];
}

function join(list: Value, separator: Value = ''): Outcome {
  return (list as string[]).join(separator as string);
}

export function quote(text: Value): Outcome {
  const escaped = chars(text).map(
    (char) => QUOTED[char] ?? (/[\ud800-\udfff]/.test(char) && char.length === 1 ? '\ufffd' : char),
  );
  return `"${escaped.join('')}"`;
}

/** The spaces of Go's unicode.IsSpace, of which there are fewer than JavaScript's. */
const SPACE = '[\\t\\n\\v\\f\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const SPACES = new RegExp(`^${SPACE}|${SPACE}$`, 'g');

/** Strings as cel-go's extension of version 2 has them, `format` apart. */
export const stringFunctions: readonly FunctionDeclaration[] = [
  functionOf('charAt', member('', [STRING, INT], STRING, charAt)),
  functionOf('indexOf', member('', [STRING, STRING], INT, indexOf), member('', [STRING, STRING, INT], INT, indexOf)),
  functionOf(
    'lastIndexOf',
    member('', [STRING, STRING], INT, lastIndexOf),
    member('', [STRING, STRING, INT], INT, lastIndexOf),
  ),
  functionOf(
    'lowerAscii',
    member('', [STRING], STRING, (text) => (text as string).replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
  ),
  functionOf(
    'upperAscii',
    member('', [STRING], STRING, (text) => (text as string).replace(/[a-z]/g, (letter) => letter.toUpperCase())),
  ),
  functionOf(
    'replace',
    member('', [STRING, STRING, STRING], STRING, replace),
    member('', [STRING, STRING, STRING, INT], STRING, replace),
  ),
  functionOf(
    'split',
    member('', [STRING, STRING], listOf(STRING), split),
    member('', [STRING, STRING, INT], listOf(STRING), split),
  ),
  functionOf(
    'substring',
    member('', [STRING, INT], STRING, substring),
    member('', [STRING, INT, INT], STRING, substring),
  ),
  functionOf(
    'trim',
    member('', [STRING], STRING, (text) => (text as string).replace(SPACES, '')),
  ),
  functionOf('join', member('', [listOf(STRING)], STRING, join), member('', [listOf(STRING), STRING], STRING, join)),
  functionOf('strings.quote', global('', [STRING], STRING, quote)),
];

import { encodeUtf8 } from '../values/utf8-bytes.ts';

export interface Quoted {
  readonly text: string;
  readonly isBytes: boolean;
}

const QUOTES = ['"""', "'''", '"', "'"] as const;
const PREFIX = /^(?:[bB][rR]?|[rR][bB]?)?/;
const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};
const CODE = /^(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/;

/** The quoted literal at the start of a text, with its prefix (`b`, `r`, `br`) and quotes; null if there is none. */
export function readQuoted(text: string): Quoted | null {
  const prefix = PREFIX.exec(text)?.[0] ?? '';
  const rest = text.slice(prefix.length);
  const quote = QUOTES.find((candidate) => rest.startsWith(candidate));
  if (quote === undefined) return null;
  const isRaw = /r/i.test(prefix);
  const isLong = quote.length === 3;
  for (let i = quote.length; i < rest.length; i++) {
    if (rest.startsWith(quote, i)) {
      return { text: prefix + rest.slice(0, i + quote.length), isBytes: /b/i.test(prefix) };
    }
    const char = rest[i] as string;
    if (!isLong && (char === '\n' || char === '\r')) return null;
    if (char !== '\\' || isRaw) continue;
    if (!isEscape(rest.slice(i + 1))) return null;
    i++;
  }
  return null;
}

function isEscape(text: string): boolean {
  return CODE.test(text) || (text[0] !== undefined && text[0] in SIMPLE);
}

/** The value of a string literal as it is written. */
export function unquoteString(text: string): string {
  const { body, isRaw } = partsOf(text);
  return isRaw ? body : body.replace(/\\(?:[xX]..|u.{4}|U.{8}|[0-3][0-7]{2}|[\s\S])/g, (sequence) => textOf(sequence));
}

/** The value of a bytes literal: escapes with two or three digits are bytes, the rest is UTF-8. */
export function unquoteBytes(text: string): Uint8Array {
  const { body, isRaw } = partsOf(text);
  if (isRaw) return encodeUtf8(body);
  const bytes: number[] = [];
  for (const part of body.match(/\\(?:[xX]..|u.{4}|U.{8}|[0-3][0-7]{2}|[\s\S])|[^\\]+/g) ?? []) {
    const octal = /^\\[0-3][0-7]{2}$/.test(part);
    if (/^\\[xX]/.test(part)) bytes.push(Number.parseInt(part.slice(2), 16));
    else if (octal) bytes.push(Number.parseInt(part.slice(1), 8));
    else bytes.push(...encodeUtf8(part.startsWith('\\') ? textOf(part) : part));
  }
  return Uint8Array.from(bytes);
}

function partsOf(text: string): { body: string; isRaw: boolean } {
  const prefix = PREFIX.exec(text)?.[0] ?? '';
  const rest = text.slice(prefix.length);
  const quote = QUOTES.find((candidate) => rest.startsWith(candidate)) ?? '"';
  const body = rest.slice(quote.length, rest.length - quote.length).replaceAll(/\r\n?/g, '\n');
  return { body, isRaw: /r/i.test(prefix) };
}

function textOf(sequence: string): string {
  const rest = sequence.slice(1);
  const code = CODE.exec(rest);
  if (code === null) return SIMPLE[rest] ?? rest;
  const hexadecimal = code[1] ?? code[2] ?? code[3] ?? code[4];
  const point = hexadecimal === undefined ? Number.parseInt(rest, 8) : Number.parseInt(hexadecimal, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
}

import { type Member, NULL, type Value } from './value.ts';

const TOKEN = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(true|false|null)|([-+.\dEe]+))/y;

/** Parses JSON text, and keeps repeated members and the text of numbers. Throws SyntaxError. */
export function parseJson(text: string): Value {
  // JSON.parse checks the syntax, so the code below may rely on it.
  JSON.parse(text);
  TOKEN.lastIndex = 0;
  return readValue(text, nextToken(text));
}

interface Token {
  readonly mark?: string | undefined;
  readonly string?: string | undefined;
  readonly word?: string | undefined;
  readonly number?: string | undefined;
}

function nextToken(text: string): Token {
  const [, mark, string, word, number] = TOKEN.exec(text) ?? [];
  return { mark, string, word, number };
}

function readValue(text: string, { mark, string, word, number }: Token): Value {
  if (string !== undefined) return { kind: 'string', value: JSON.parse(string) as string };
  if (number !== undefined) return { kind: 'number', text: number };
  if (word !== undefined) return word === 'null' ? NULL : { kind: 'boolean', value: word === 'true' };
  return mark === '[' ? readList(text) : readObject(text);
}

function readList(text: string): Value {
  const items: Value[] = [];
  for (let token = nextToken(text); token.mark !== ']'; token = nextToken(text)) {
    if (token.mark !== ',') items.push(readValue(text, token));
  }
  return { kind: 'list', items };
}

function readObject(text: string): Value {
  const members: Member[] = [];
  for (let token = nextToken(text); token.mark !== '}'; token = nextToken(text)) {
    if (token.string === undefined) continue;
    const key = JSON.parse(token.string) as string;
    nextToken(text); // the colon
    members.push({ key, value: readValue(text, nextToken(text)) });
  }
  return { kind: 'object', members };
}

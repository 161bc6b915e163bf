import { posix } from 'node:path';
import { badRequest } from '../../kinds/object/refusals.ts';
import type { StatusError } from '../../kinds/object/status-error.ts';
import { decodeFirstJson } from '../../lib/go-json.ts';

const VERSION = 'meta.k8s.io/v1';

/** Where a list goes on: behind this object, in the state of this version. */
export interface ContinueKey {
  readonly namespace: string;
  /** The first name that is not listed yet. */
  readonly name: string;
  readonly version: number;
}

/** Clients take the token as it is; its form is upstream's (apiserver/pkg/storage/continue.go). */
export function encodeContinue({ namespace, name, version }: ContinueKey): string {
  return encoded(`${namespace === '' ? '' : `${namespace}/`}${name}\u0000`, version);
}

function encoded(start: string, version: number): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: version, start })).toString('base64url');
}

/** A token that has been decoded before, to go on in the state that is there by then. */
export function inPresentState(token: string): string {
  const { start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { start: string };
  return encoded(start, -1);
}

/** @throws StatusError BadRequest */
export function decodeContinue(token: string): ContinueKey {
  const wrong = brokenBase64(token);
  if (wrong !== undefined) throw notValid(`illegal base64 data at input byte ${wrong}`);
  const bytes = Buffer.from(token, 'base64url');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw notValid(syntaxText(bytes));
  }
  const { v = '', rv = 0, start = '' } = (value ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== VERSION) throw notValid(`server does not recognize this encoded version ${JSON.stringify(v)}`);
  if (typeof rv !== 'number' || !Number.isInteger(rv) || rv === 0) {
    throw notValid(`incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (typeof start !== 'string' || start === '') throw notValid(`encoded start key empty (version ${VERSION})`);
  const path = start.startsWith('/') ? start : `/${start}`;
  if (posix.normalize(path) !== path || (path.length > 1 && path.endsWith('/'))) throw notValid(start);
  const slash = start.indexOf('/');
  const [namespace, name] = slash < 0 ? ['', start] : [start.slice(0, slash), start.slice(slash + 1)];
  return { namespace, name, version: rv };
}

function notValid(why: string): StatusError {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}

/** The first byte that is no base64 for URLs without padding; line breaks are passed over. */
function brokenBase64(token: string): number | undefined {
  let count = 0;
  for (const [i, byte] of Buffer.from(token).entries()) {
    if (byte === LINE_FEED || byte === CARRIAGE_RETURN) continue;
    if (!/[\w-]/.test(String.fromCharCode(byte))) return i;
    count++;
  }
  return count % 4 === 1 ? Buffer.byteLength(token) - 1 : undefined;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** What Go's JSON parser says of bytes that are no value. */
function syntaxText(bytes: Buffer): string {
  const text = bytes.toString('latin1').replace(/^[ \t\r\n]+/, '');
  const decoded = decodeFirstJson(text);
  const error = 'error' in decoded ? decoded.error : 'EOF';
  if (error.endsWith('EOF')) return 'unexpected end of JSON input';
  const isFirst = error.endsWith('looking for beginning of value') && !/^[[{]/.test(text);
  return isFirst ? `invalid character ${quoted(text[0] ?? '')} looking for beginning of value` : error;
}

/** A byte as Go quotes it, which takes it for a character. */
function quoted(character: string): string {
  const code = character.charCodeAt(0);
  if (code < FIRST_PRINTABLE || code === DELETE) return `'\\x${code.toString(16).padStart(2, '0')}'`;
  const isShown = code < DELETE || (code > NO_BREAK_SPACE && code !== SOFT_HYPHEN);
  if (!isShown) return `'\\u00${code.toString(16)}'`;
  return character === '\\' || character === "'" ? `'\\${character}'` : `'${character}'`;
}

const FIRST_PRINTABLE = 0x20;
const DELETE = 0x7f;
const NO_BREAK_SPACE = 0xa0;
const SOFT_HYPHEN = 0xad;

import { badRequest } from '../../kinds/object/refusals.ts';

/** Where a list goes on: behind this object, in the state of this version. */
export interface ContinueKey {
  readonly namespace: string;
  /** The first name that is not listed yet. */
  readonly name: string;
  readonly version: number;
}

/** Clients take the token as it is; its form is upstream's (apiserver/pkg/storage/continue.go). */
export function encodeContinue({ namespace, name, version }: ContinueKey): string {
  const start = `${namespace === '' ? '' : `${namespace}/`}${name}\u0000`;
  const token = { v: 'meta.k8s.io/v1', rv: version, start };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** @throws StatusError BadRequest */
export function decodeContinue(token: string): ContinueKey {
  const bytes = Buffer.from(token, 'base64url');
  const text = bytes.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest(`invalid continue token: continue key is not valid: ${syntaxText(bytes)}`);
  }
  const { rv, start } = (value ?? {}) as { rv?: unknown; start?: unknown };
  if (typeof rv !== 'number' || typeof start !== 'string') {
    const why = 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)';
    throw badRequest(`invalid continue token: continue key is not valid: ${why}`);
  }
  const slash = start.indexOf('/');
  const [namespace, name] = slash < 0 ? ['', start] : [start.slice(0, slash), start.slice(slash + 1)];
  return { namespace, name, version: rv };
}

/** What Go's JSON parser says of bytes that begin no value. */
function syntaxText(bytes: Buffer): string {
  if (bytes.length === 0) return 'unexpected end of JSON input';
  const code = bytes[0] as number;
  const shown =
    code >= 0x20 && code < 0x7f
      ? String.fromCharCode(code)
      : code < 0x20
        ? `\\x${code.toString(16).padStart(2, '0')}`
        : String.fromCharCode(code);
  return `invalid character '${shown}' looking for beginning of value`;
}

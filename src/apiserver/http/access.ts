/** Who is let in: a client with the token, which reaches the server by a name that is the server's own. */
import type { IncomingMessage } from 'node:http';
import { StatusError } from '../../kinds/object/status-error.ts';
import { isSameSecret } from '../../lib/secret.ts';

export interface AccessRules {
  /** The token that clients must send; absent: everybody is let in. */
  readonly token?: string | undefined;
  /** The names of the server, without port, that a Host header may contain; absent: any. */
  readonly hosts?: readonly string[] | undefined;
}

/**
 * Refuses a request from elsewhere. The Host header is checked because a page in a browser can reach a server on the
 * same machine by a name of its own, and Origin because it can send requests there.
 *
 * @throws StatusError Unauthorized, Forbidden
 */
export function checkAccess({ headers }: IncomingMessage, rules: AccessRules): void {
  checkNames({ headers }, rules);
  const { token } = rules;
  if (token === undefined) return;
  const header = headers.authorization ?? '';
  if (BEARER.test(header) && isSameSecret(header.slice(BEARER_LENGTH).split(' ', 1)[0] as string, token)) return;
  throw new StatusError(401, 'Unauthorized', 'Unauthorized');
}

const BEARER = /^bearer /i;
const BEARER_LENGTH = 'bearer '.length;

/** The checks of `checkAccess` for what everybody may have who reaches the server by its name. @throws StatusError */
export function checkNames({ headers }: Pick<IncomingMessage, 'headers'>, { hosts }: AccessRules): void {
  if (hosts !== undefined && !isNameOf(headers.host ?? '', hosts)) {
    throw new StatusError(403, 'Forbidden', 'the Host header names another server');
  }
  if (headers.origin !== undefined && originHost(headers.origin) !== (headers.host ?? '')) {
    throw new StatusError(403, 'Forbidden', 'requests of pages from elsewhere are refused');
  }
}

/** The last Host header that named the server: most clients send the same. */
let lastHosts: { readonly header: string; readonly hosts: readonly string[] } = { header: '', hosts: [] };

function isNameOf(header: string, hosts: readonly string[]): boolean {
  if (header === lastHosts.header && hosts === lastHosts.hosts) return true;
  const isName = hosts.includes(hostOf(header));
  if (isName) lastHosts = { header, hosts };
  return isName;
}

/** The name in a Host header without the port: `[::1]:6443` is `::1`. */
function hostOf(header: string): string {
  const match = /^(?:\[(?<ip6>[^\]]*)\]|(?<name>[^:]*))(?::\d+)?$/.exec(header.toLowerCase())?.groups;
  return match?.['ip6'] ?? match?.['name'] ?? '';
}

function originHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : '';
}

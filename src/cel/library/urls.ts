import { type FunctionDeclaration, functionOf, global, member } from '../check/declarations.ts';
import { BOOL, CelType, listOf, mapOf, STRING } from '../values/types.ts';
import { CelError, EntryMap, Opaque, type Value } from '../values/value.ts';

const URL_TYPE = new CelType('opaque', 'kubernetes.URL');

/** The parts of a URL as Go's net/url reads a request URI. */
class UrlValue extends Opaque {
  readonly type = URL_TYPE;
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;

  constructor(text: string, parts: { scheme: string; host: string; path: string; query: string }) {
    super();
    this.text = text;
    this.scheme = parts.scheme;
    this.host = parts.host;
    this.path = parts.path;
    this.query = parts.query;
  }

  equals(other: UrlValue): boolean {
    return this.text === other.text;
  }

  get hostname(): string {
    if (this.host.startsWith('[')) return this.host.slice(1, this.host.indexOf(']'));
    return this.port === '' ? this.host.replace(/:$/, '') : this.host.slice(0, this.host.lastIndexOf(':'));
  }

  get port(): string {
    return /:(\d+)$/.exec(this.host)?.[1] ?? '';
  }
}

function readUrl(value: Value): UrlValue | CelError {
  const text = value as string;
  const fail = (reason: string): CelError =>
    new CelError(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: ${reason}`);
  if (text === '') return fail('empty url');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is refused.
  if (/[\x00-\x1f\x7f]/.test(text)) return fail('net/url: invalid control character in URL');
  const [, scheme, rest = text] = /^([A-Za-z][A-Za-z0-9+.-]*):([\s\S]*)$/.exec(text) ?? [];
  if (scheme === undefined && text.startsWith(':')) return fail('missing protocol scheme');
  if (!rest.startsWith('/')) return fail('invalid URI for request');
  const mark = rest.indexOf('?');
  const [before, query] = mark < 0 ? [rest, ''] : [rest.slice(0, mark), rest.slice(mark + 1)];
  const hasHost = before.startsWith('//') && (scheme !== undefined || !before.startsWith('///'));
  const slash = hasHost ? before.indexOf('/', 2) : 0;
  const authority = hasHost ? before.slice(2, slash < 0 ? undefined : slash) : '';
  const path = slash < 0 ? '' : before.slice(slash);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (/[ "<>\\^`{|}]/.test(host))
    return fail(`invalid character ${JSON.stringify(/[ "<>\\^`{|}]/.exec(host)?.[0])} in host name`);
  if (/:[^\]]*$/.test(host) && !/:\d*$/.test(host))
    return fail(`invalid port ${JSON.stringify(/:[^\]]*$/.exec(host)?.[0])} after host`);
  const badEscape = /%(?![0-9a-fA-F]{2})[\s\S]{0,2}/.exec(path)?.[0];
  if (badEscape !== undefined) return fail(`invalid URL escape ${JSON.stringify(badEscape)}`);
  return new UrlValue(text, { scheme: (scheme ?? '').toLowerCase(), host, path, query });
}

const urlOf = (value: Value): UrlValue => value as UrlValue;

function queryOf(value: Value): EntryMap {
  const values = new Map<string, string[]>();
  for (const part of urlOf(value).query.split('&')) {
    if (part === '' || part.includes(';')) continue;
    const [key = '', ...rest] = part.split('=');
    const [name, text] = [decode(key), decode(rest.join('='))];
    if (name === null || text === null) continue;
    values.set(name, [...(values.get(name) ?? []), text]);
  }
  return new EntryMap(values);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** The path with every character escaped that Go escapes in paths. */
function escapedPath(value: Value): string {
  return urlOf(value).path.replace(/[^A-Za-z0-9\-_.~$&+,/:;=@%!'()*]/gu, (char) => encodeURIComponent(char));
}

function part(name: string, id: string, read: (url: Value) => string): FunctionDeclaration {
  return functionOf(name, member(id, [URL_TYPE], STRING, read));
}

/** URLs as apiserver/pkg/cel/library/urls.go has them. */
export const urlFunctions: readonly FunctionDeclaration[] = [
  functionOf('url', global('', [STRING], URL_TYPE, readUrl)),
  functionOf(
    'isURL',
    global('', [STRING], BOOL, (text) => readUrl(text) instanceof UrlValue),
  ),
  part('getScheme', 'url_get_scheme', (url) => urlOf(url).scheme),
  part('getHost', 'url_get_host', (url) => urlOf(url).host),
  part('getHostname', 'url_get_hostname', (url) => urlOf(url).hostname),
  part('getPort', 'url_get_port', (url) => urlOf(url).port),
  part('getEscapedPath', 'url_get_escaped_path', escapedPath),
  functionOf('getQuery', member('', [URL_TYPE], mapOf(STRING, listOf(STRING)), queryOf)),
];

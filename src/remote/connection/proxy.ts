import { BlockList, isIP, isIPv6 } from 'node:net';

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:']);

/**
 * The proxy by which clients of the environment reach this server, by the rules of Go's programs; null for none.
 * Neither this machine nor what NO_PROXY lists is reached by a proxy.
 */
export function proxyFromEnvironment(server: string, environment: Environment): string | null {
  const { protocol, hostname, port } = new URL(server);
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = variable(environment, name);
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (proxy === '' || isThisMachine(host)) return null;
  const excluded = variable(environment, 'NO_PROXY').split(',');
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  if (excluded.some((entry) => excludes(entry.trim().toLowerCase(), host, ownPort))) return null;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** Whether a client could use this address of a proxy. */
export function isProxyUrl(text: string): boolean {
  return URL.canParse(text) && SCHEMES.has(new URL(text).protocol);
}

function variable(environment: Environment, name: string): string {
  return environment[name] || environment[name.toLowerCase()] || '';
}

function isThisMachine(host: string): boolean {
  if (host === 'localhost') return true;
  return isInSubnet(host, '127.0.0.0/8') || isInSubnet(host, '::1/128');
}

/** Whether an entry of NO_PROXY, an address or domain, maybe with a port, or a range of addresses, has the host. */
function excludes(entry: string, host: string, port: string): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  if (entry.includes('/')) return isInSubnet(host, entry);
  const [name, ofPort] = splitPort(entry);
  if (ofPort !== '' && ofPort !== port) return false;
  if (isIP(name) > 0 || isIP(host) > 0) return name === host;
  const domain = name.replace(/^\*\./, '.');
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function splitPort(entry: string): readonly [name: string, port: string] {
  const [, bracketed, own = ''] = /^\[(.*)\](?::(\d+))?$/.exec(entry) ?? [];
  if (bracketed !== undefined) return [bracketed, own];
  const [, name, port] = isIPv6(entry) ? [] : (/^(.*):(\d+)$/.exec(entry) ?? []);
  return name === undefined || port === undefined ? [entry, ''] : [name, port];
}

function isInSubnet(host: string, subnet: string): boolean {
  const [, address = '', bits = ''] = /^(.*)\/(\d{1,3})$/.exec(subnet) ?? [];
  if (isIP(host) === 0 || isIP(host) !== isIP(address) || Number(bits) > (isIPv6(host) ? 128 : 32)) return false;
  const family = isIPv6(host) ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family);
  return list.check(host, family);
}

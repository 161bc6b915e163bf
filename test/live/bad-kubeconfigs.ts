import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { FakeApiServer, type KeyPair, newKeyPair } from './fake-api-server.ts';

const EXPIRED = new Date('2021-01-01T00:00:00Z');
/** A token whose own claim says that it ended in September 2020. */
const OLD_TOKEN = `${base64('{"alg":"none"}')}.${base64('{"exp":1600000000}')}.x`;
/** The rights that the good token lacks. */
const DENIED = ['list nodes', 'watch pods', 'create pods/binding', 'create jobs.batch'];

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Servers and kubeconfigs that lead nowhere, each by its name. */
export class BadKubeconfigs implements AsyncDisposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'berth-bad-'));
  readonly #servers: FakeApiServer[] = [];
  #texts: Readonly<Record<string, string>> = {};

  static async open(): Promise<BadKubeconfigs> {
    const made = new BadKubeconfigs();
    await made.#start();
    return made;
  }

  get names(): readonly string[] {
    return Object.keys(this.#texts);
  }

  /** The path of the file; of one that does not exist for a name that is not known. */
  path(name: string): string {
    return join(this.directory, name);
  }

  /** The text with the places that differ from run to run replaced. */
  shown(text: string): string {
    return text.replaceAll(this.directory, 'DIR').replace(/127\.0\.0\.1:\d{2,5}|localhost:\d{2,5}/g, 'HOST');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) await server[Symbol.asyncDispose]();
    rmSync(this.directory, { recursive: true });
  }

  async #start(): Promise<void> {
    const [authority, stranger] = [await newKeyPair({ name: 'ca' }), await newKeyPair({ name: 'stranger' })];
    const pair = await newKeyPair({ name: 'server', by: authority });
    const oldPair = await newKeyPair({ name: 'server', by: authority, notAfter: EXPIRED });
    const open = async (rules: object) => {
      const server = await FakeApiServer.open({ pair, clients: authority, ...rules });
      this.#servers.push(server);
      return server.url;
    };
    const url = await open({ tokens: ['good'], denied: new Set(DENIED) });
    const oldUrl = await open({ pair: oldPair, tokens: ['good'] });
    const strictUrl = await open({ handshake: 'strict' });
    const user = await newKeyPair({ name: 'u', by: authority });
    const oldUser = await newKeyPair({ name: 'u', by: authority, notAfter: EXPIRED });
    const trusting = { 'certificate-authority-data': base64(authority.cert) };
    const good = { token: 'good' };
    const as = (one: object): string => config(url, trusting, one);
    const asProgram = (command: string, ...args: string[]): string =>
      as({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args, interactiveMode: 'Never' } });
    this.#texts = {
      ...{ empty: '', list: '- 1\n', broken: 'a: [b\nc: }\n', bare: 'apiVersion: v1\nkind: Config\n' },
      'no-such-context': 'apiVersion: v1\nkind: Config\ncurrent-context: prod\n',
      'no-such-cluster': config(url, trusting, good).replace('cluster: c', 'cluster: d'),
      'no-such-user': config(url, trusting, good).replace('user: u', 'user: w'),
      'no-url': config('kubernetes', trusting, good),
      ftp: config('ftp://127.0.0.1', trusting, good),
      'no-proxy': config(url, { ...trusting, 'proxy-url': 'proxy:3128' }, good),
      closed: config('https://127.0.0.1:1', trusting, good),
      'wrong-authority': config(url, { 'certificate-authority-data': base64(stranger.cert) }, good),
      'no-authority': config(url, {}, good),
      'broken-authority': config(url, { 'certificate-authority-data': base64('hello') }, good),
      'missing-authority': config(url, { 'certificate-authority': '/no/such' }, good),
      'other-name': config(url.replace('127.0.0.1', 'localhost'), trusting, good),
      'expired-server': config(oldUrl, trusting, good),
      'expired-client': as(certificates(oldUser)),
      'expired-client-at-proxy': config(strictUrl, trusting, certificates(oldUser)),
      'broken-client': as({ 'client-certificate-data': base64('a'), 'client-key-data': base64('b') }),
      'other-key': as(certificates({ ...user, key: oldUser.key })),
      'half-client': as({ 'client-certificate-data': base64(user.cert) }),
      'unknown-token': as({ token: 'bad' }),
      'expired-token': as({ token: OLD_TOKEN }),
      'missing-token-file': as({ tokenFile: '/no/such/token' }),
      'missing-program': asProgram('/no/such/program'),
      'failing-program': asProgram('sh', '-c', 'echo "log in first" >&2; exit 3'),
      'chatty-program': asProgram('echo', 'hi'),
      'few-rights': as(good),
      'certificate-with-few-rights': as(certificates(user)),
    };
    for (const [name, text] of Object.entries(this.#texts)) writeFileSync(this.path(name), text);
  }
}

function config(server: string, cluster: object, user: object): string {
  return stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'x' },
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server, ...cluster } }],
    users: [{ name: 'u', user }],
  });
}

function certificates({ cert, key }: KeyPair): object {
  return { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
}

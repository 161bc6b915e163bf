import type { Dispatcher, Pool } from 'undici';
import type { ClientTls, Credentials } from './credentials.ts';

/** What is used of the package `undici`, which is loaded late. */
export type HttpClients = Pick<typeof import('undici'), 'Pool' | 'ProxyAgent'>;

/** The purposes that have connections of their own. */
export type PoolName = 'requests' | 'leases' | 'watches';

/**
 * The connections to one server, straight or by a proxy. Those to a server that knows the caller by a certificate are
 * made anew when there is another certificate, since programs that give credentials renew them.
 */
export class Pools {
  readonly #clients: HttpClients;
  readonly #credentials: Credentials;
  readonly #origin: string;
  /** The most connections for requests other than watches. */
  readonly #connections: number;
  #tls: ClientTls;
  #pools: Readonly<Record<PoolName, Dispatcher>>;

  constructor(clients: HttpClients, credentials: Credentials, connections: number) {
    this.#clients = clients;
    this.#credentials = credentials;
    this.#origin = new URL(credentials.server).origin;
    this.#connections = connections;
    this.#tls = credentials.tls;
    this.#pools = this.#open();
  }

  /** Makes the request on one of the connections. */
  request(name: PoolName, options: Omit<Dispatcher.RequestOptions, 'origin'>): Promise<Dispatcher.ResponseData> {
    this.#renew();
    return this.#pools[name].request({ ...options, origin: this.#origin });
  }

  /** Ends the connections; open requests fail. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.destroy()));
  }

  /** Requests that are open end on the connections on which they began. */
  #renew(): void {
    const { tls } = this.#credentials;
    if (isEqual(tls.cert, this.#tls.cert) && isEqual(tls.key, this.#tls.key)) return;
    const before = Object.values(this.#pools);
    this.#tls = tls;
    this.#pools = this.#open();
    for (const pool of before) void pool.close();
  }

  #open(): Readonly<Record<PoolName, Dispatcher>> {
    return {
      requests: this.#pool({ connections: this.#connections }),
      // The first request for a lease makes the connection.
      leases: this.#pool({ connections: 1 }),
      // A watch has a connection of its own, and is silent for as long as nothing changes.
      watches: this.#pool({ bodyTimeout: 0 }),
    };
  }

  #pool(options: Pool.Options): Dispatcher {
    const { Pool, ProxyAgent } = this.#clients;
    const { proxy } = this.#credentials;
    const tls = withoutUndefined(this.#tls);
    if (proxy === undefined) return new Pool(this.#origin, { ...options, connect: tls });
    return new ProxyAgent({ ...options, connections: options.connections ?? null, uri: proxy, requestTls: tls });
  }
}

function isEqual(a: string | Buffer | undefined, b: string | Buffer | undefined): boolean {
  return a === b || a?.toString() === b?.toString();
}

/** Options that are undefined would count as given. */
function withoutUndefined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

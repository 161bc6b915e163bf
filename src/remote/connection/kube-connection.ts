import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { TokenBucket } from '../../client/queue/rate-limiter.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import type { Credentials } from './credentials.ts';
import { NetworkFailure } from './network-failure.ts';
import { type HttpClients, type PoolName, Pools } from './pools.ts';
import { refusalOf } from './refusal.ts';

/** How a client uses its server. */
export interface ConnectionOptions {
  /** Requests a second that are begun in the long run; 0 or less: without limit. Default 50, as kube-scheduler. */
  readonly qps?: number | undefined;
  /** Requests that may be begun at once beyond that. Default 100. */
  readonly burst?: number | undefined;
  /** The most connections for requests other than watches. Default 64. */
  readonly connections?: number | undefined;
  /** How long a request may take. Default 34 s, as upstream's API server allows plus a reserve. */
  readonly timeoutMillis?: number | undefined;
  readonly userAgent?: string | undefined;
}

/** One request. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with its query: `/api/v1/pods?limit=500`. */
  readonly path: string;
  readonly body?: unknown;
  /** The type of the body; absent: `application/json`. */
  readonly contentType?: string | undefined;
  /** Absent: for the work itself. */
  readonly purpose?: Purpose;
}

/**
 * What requests are for beside the work itself. Each purpose has the rate of a client of its own, as in upstream's
 * scheduler: a lease whose renewal waited behind a thousand bindings would be lost.
 */
export type Purpose = 'events' | 'lease';

const QPS = 50;
const BURST = 100;
const CONNECTIONS = 64;
const TIMEOUT_MILLIS = 34_000;
/** How often client-go repeats a request that the server asked it to repeat later. */
const RETRIES_MAX = 10;
/** How long client-go waits before it repeats a read whose connection broke. */
const BROKEN_RETRY_MILLIS = 1000;
/** How long tokens are used before the credentials are asked again. */
const HEADERS_MILLIS = 60_000;
const UNAUTHORIZED = 401;
const TOO_MANY_REQUESTS = 429;

type Response = Dispatcher.ResponseData;
type Headers = ReturnType<Credentials['headers']>;

/**
 * Requests to one API server, on kept-alive connections, in the manner of client-go's rest client: a limited rate, 429
 * and 5xx with Retry-After repeated after that time, reads repeated when a connection broke, credentials renewed when
 * they are refused. Failures are `ApiError`s; a server that cannot be reached is `ServiceUnavailable`.
 */
export class KubeConnection {
  readonly #credentials: Credentials;
  readonly #loop: EventLoop;
  readonly #buckets: Readonly<Record<Purpose | 'work', TokenBucket>> | null;
  readonly #pools: Pools;
  /** The part of the server's URL that stands before every path. */
  readonly #prefix: string;
  readonly #timeoutMillis: number;
  readonly #userAgent: string;
  #headers: Headers | null = null;
  #headersAtMillis = 0;
  #openCount = 0;
  readonly #waitingForEnd: (() => void)[] = [];

  constructor(clients: HttpClients, credentials: Credentials, loop: EventLoop, options: ConnectionOptions = {}) {
    const { qps = QPS, burst = BURST, connections = CONNECTIONS } = options;
    this.#credentials = credentials;
    this.#loop = loop;
    const newBucket = (): TokenBucket => new TokenBucket(1000 / qps, burst, loop);
    this.#buckets = qps > 0 ? { work: newBucket(), events: newBucket(), lease: newBucket() } : null;
    const { pathname } = new URL(credentials.server);
    this.#prefix = pathname.replace(/\/$/, '');
    this.#timeoutMillis = options.timeoutMillis ?? TIMEOUT_MILLIS;
    this.#userAgent = options.userAgent ?? 'berth';
    this.#pools = new Pools(clients, credentials, connections);
  }

  /** Makes the request, and returns the object of its answer. @throws ApiError */
  async request<T>(call: ApiCall): Promise<T> {
    this.#openCount++;
    try {
      await this.#turn(call.purpose ?? 'work');
      return JSON.parse(await this.#answered(call)) as T;
    } finally {
      this.#openCount--;
      if (this.#openCount === 0) for (const resolve of this.#waitingForEnd.splice(0)) resolve();
    }
  }

  /** Resolves when all requests other than watches have been answered, or have failed. */
  settled(): Promise<void> {
    if (this.#openCount === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waitingForEnd.push(resolve);
    });
  }

  /** Opens a watch, and returns the stream of its lines. @throws ApiError */
  async stream(path: string, signal: AbortSignal): Promise<Readable> {
    await this.#turn('work');
    const response = await this.#send('watches', { method: 'GET', path }, signal);
    if (response.statusCode !== 200) throw refusalOf(response.statusCode, await response.body.text());
    return response.body;
  }

  /** Ends the connections; open requests fail. */
  async close(): Promise<void> {
    await this.#pools.close();
  }

  /** Waits for the turn that the rate allows. */
  async #turn(purpose: Purpose | 'work'): Promise<void> {
    const waitMillis = this.#buckets?.[purpose].reserve() ?? 0;
    if (waitMillis > 0) await this.#pause(waitMillis);
  }

  async #answered(call: ApiCall): Promise<string> {
    const pool = call.purpose === 'lease' ? 'leases' : 'requests';
    for (let tries = 0; ; tries++) {
      let response: Response;
      try {
        response = await this.#send(pool, call);
      } catch (error) {
        const isRepeated =
          call.method === 'GET' && error instanceof NetworkFailure && error.isBroken && tries < RETRIES_MAX;
        if (!isRepeated) throw error;
        await this.#pause(BROKEN_RETRY_MILLIS);
        continue;
      }
      const text = await this.#textOf(response);
      if (response.statusCode < 300) return text;
      const retryMillis = retryAfterMillis(response);
      if (retryMillis === null || tries >= RETRIES_MAX) throw refusalOf(response.statusCode, text);
      await this.#pause(retryMillis);
    }
  }

  async #send(pool: PoolName, call: ApiCall, signal?: AbortSignal): Promise<Response> {
    const headers = this.#callerHeaders();
    const response = await this.#sendOnce(pool, call, headers, signal);
    if (response.statusCode !== UNAUTHORIZED) return response;
    await response.body.dump();
    // Another request may have renewed them meanwhile.
    if (this.#headers === headers) this.#askForHeaders(true);
    return this.#sendOnce(pool, call, this.#callerHeaders(), signal);
  }

  async #sendOnce(pool: PoolName, call: ApiCall, caller: Headers, signal?: AbortSignal): Promise<Response> {
    const { method, path, body, contentType } = call;
    const headers: Record<string, string> = {
      ...(await caller),
      accept: 'application/json',
      'user-agent': this.#userAgent,
    };
    if (body !== undefined) headers['content-type'] = contentType ?? 'application/json';
    try {
      return await this.#pools.request(pool, {
        ...{ method, path: this.#prefix + path, headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal === undefined
          ? { headersTimeout: this.#timeoutMillis, bodyTimeout: this.#timeoutMillis }
          : { signal }),
      });
    } catch (error) {
      throw new NetworkFailure(error);
    }
  }

  async #textOf(response: Response): Promise<string> {
    try {
      return await response.body.text();
    } catch (error) {
      throw new NetworkFailure(error);
    }
  }

  #callerHeaders(): Headers {
    const isOld = this.#loop.nowMillis() - this.#headersAtMillis >= HEADERS_MILLIS;
    return this.#headers === null || isOld ? this.#askForHeaders(false) : this.#headers;
  }

  #askForHeaders(wereRefused: boolean): Headers {
    this.#headersAtMillis = this.#loop.nowMillis();
    const headers = this.#credentials.headers(wereRefused);
    this.#headers = headers;
    // The next request asks again.
    headers.catch(() => {
      if (this.#headers === headers) this.#headers = null;
    });
    return headers;
  }

  #pause(millis: number): Promise<void> {
    return new Promise((resolve) => {
      this.#loop.after(millis, resolve);
    });
  }
}

/** How long the server asks to wait; null if it does not ask for another try. */
function retryAfterMillis({ statusCode, headers }: Response): number | null {
  if (statusCode !== TOO_MANY_REQUESTS && statusCode < 500) return null;
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isInteger(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

import type { ClientRequest, Agent as HttpAgent, IncomingMessage } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { getOrMake } from './get-or-make.ts';
import { decodeFirstJson } from './go-json.ts';
import { neededHostModule } from './host-modules.ts';
import { failureText } from './http-failure.ts';

/** A POST request with a JSON body. */
export interface PostRequest {
  readonly url: string;
  readonly body: string;
  /** The time limit of the whole exchange; none if it is 0 or less. */
  readonly timeoutMillis: number;
  readonly tls: TlsOptions;
}

/** Each `...Data` member is base64, and takes precedence over its file. */
export interface TlsOptions {
  /** The server's certificate is not verified. */
  readonly insecure?: boolean | undefined;
  readonly serverName?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly caFile?: string | undefined;
  readonly certData?: string | undefined;
  readonly keyData?: string | undefined;
  readonly caData?: string | undefined;
}

/** The response, or the error of Go's HTTP client if there is none. */
export type PostResponse = { readonly status: number; readonly body: string } | { readonly error: string };

/** The limits of requests over HTTP. */
export interface HttpPosterOptions {
  /** Longer answers are refused. Default 256 MiB, which leaves some room below the longest possible string. */
  readonly maxAnswerBytes?: number;
}

const MAX_ANSWER_BYTES = 256 * 2 ** 20;
const LONGEST_TIMER_MILLIS = 2 ** 31 - 1;
const MOST_REDIRECTS = 10;
const OK = 200;
const TIMEOUT_HEADERS = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
const TIMEOUT_BODY = 'context deadline exceeded (Client.Timeout or context cancellation while reading body)';

/**
 * Posts JSON over HTTP or HTTPS on kept-alive connections, and returns the answer. As in Go's http.Client, redirects
 * are followed, and failures have its messages. A complete JSON value counts even if the answer breaks off after it;
 * the body of any status but 200 is not read.
 */
export class HttpPoster {
  readonly #maxAnswerBytes: number;
  #http: HttpAgent | null = null;
  /** Agents by their TLS options. */
  readonly #https = new Map<string, HttpsAgent>();

  constructor({ maxAnswerBytes = MAX_ANSWER_BYTES }: HttpPosterOptions = {}) {
    this.#maxAnswerBytes = maxAnswerBytes;
  }

  /** `done` is called once, in a later turn of the event loop, and not after `cancel`. */
  send(request: PostRequest, done: (response: PostResponse) => void): { cancel(): void } {
    const agentFor = (url: URL): HttpAgent => this.#agentFor(url, request.tls);
    const exchange = new Exchange({ request, maxAnswerBytes: this.#maxAnswerBytes, agentFor, done });
    exchange.start();
    return exchange;
  }

  /** Closes idle connections. */
  close(): void {
    this.#http?.destroy();
    for (const agent of this.#https.values()) agent.destroy();
  }

  /** The agent for the URL, or an error for a file that cannot be read. */
  #agentFor(url: URL, tls: TlsOptions): HttpAgent {
    if (url.protocol === 'http:') {
      this.#http ??= new (neededHostModule('node:http').Agent)({ keepAlive: true });
      return this.#http;
    }
    const key = JSON.stringify(tls);
    const newAgent = () =>
      new (neededHostModule('node:https').Agent)({
        keepAlive: true,
        rejectUnauthorized: !tls.insecure,
        ...(tls.serverName && { servername: tls.serverName }),
        ...given('ca', tls.caData, tls.caFile),
        ...given('cert', tls.certData, tls.certFile),
        ...given('key', tls.keyData, tls.keyFile),
      });
    return getOrMake(this.#https, key, newAgent);
  }
}

function given(option: string, data: string | undefined, file: string | undefined): Record<string, Buffer> {
  if (data) return { [option]: Buffer.from(data, 'base64') };
  return file ? { [option]: neededHostModule('node:fs').readFileSync(file) } : {};
}

interface Order {
  readonly request: PostRequest;
  readonly maxAnswerBytes: number;
  readonly agentFor: (url: URL) => HttpAgent;
  readonly done: (response: PostResponse) => void;
}

/** One request with its redirects. */
class Exchange {
  readonly #order: Order;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  /** The address of the request or of its last redirect, which failures name. */
  #address: string;
  #abort = (): void => {};
  /** The chunks of the answer's body, while it is being received. */
  #received: { readonly chunks: Buffer[]; bytes: number } | null = null;

  constructor(order: Order) {
    this.#order = order;
    this.#address = order.request.url;
  }

  start(): void {
    const { timeoutMillis } = this.#order.request;
    if (timeoutMillis > 0) {
      const millis = Math.min(timeoutMillis, LONGEST_TIMER_MILLIS);
      this.#timer = setTimeout(() => this.#fail(this.#received === null ? TIMEOUT_HEADERS : TIMEOUT_BODY), millis);
    }
    this.#open('POST', 0);
  }

  cancel(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#abort();
  }

  #open(method: 'POST' | 'GET', redirects: number, isRetry = false): void {
    const opened = this.#connect(method);
    if ('error' in opened) {
      // The error is reported in a later turn, like every other answer.
      setImmediate(() => this.#fail(opened.error));
      return;
    }
    const { request } = opened;
    this.#abort = () => request.destroy();
    request.on('response', (response) => this.#answered(response, method, redirects));
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (this.#isOver) return;
      // The server closed the kept-alive connection before it received the request, so the request is safe to repeat.
      if (request.reusedSocket && error.code === 'ECONNRESET' && !isRetry && this.#received === null) {
        this.#open(method, redirects, true);
      } else this.#fail(failureText(error));
    });
    request.end(method === 'POST' ? this.#order.request.body : undefined);
  }

  #connect(method: string): { request: ClientRequest } | { error: string } {
    const problem = addressProblem(this.#address);
    if (problem !== null) return { error: problem };
    const url = new URL(this.#address);
    const headers = { 'Content-Type': 'application/json' };
    try {
      const options = { method, headers, agent: this.#order.agentFor(url) };
      const { request } = url.protocol === 'https:' ? neededHostModule('node:https') : neededHostModule('node:http');
      return { request: request(url, options) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  #answered(response: IncomingMessage, method: 'POST' | 'GET', redirects: number): void {
    const { statusCode: status = 0, headers } = response;
    const redirected = redirectedMethod(status, method);
    if (redirected !== null && headers.location) {
      response.resume();
      this.#redirect(headers.location, redirected, redirects);
      return;
    }
    if (status !== OK) {
      response.resume();
      this.#end({ status, body: '' });
      return;
    }
    this.#receive(response);
  }

  #redirect(location: string, method: 'POST' | 'GET', redirects: number): void {
    if (!URL.canParse(location, this.#address)) {
      const text = JSON.stringify(location);
      this.#fail(`failed to parse Location header ${text}: parse ${text}: invalid URL`);
    } else if (redirects === MOST_REDIRECTS - 1) {
      // As in Go, the failure names the address as the header has it.
      this.#address = location;
      this.#fail(`stopped after ${MOST_REDIRECTS} redirects`);
    } else {
      this.#address = new URL(location, this.#address).href;
      this.#open(method, redirects + 1);
    }
  }

  #receive(response: IncomingMessage): void {
    const received = { chunks: [] as Buffer[], bytes: 0 };
    this.#received = received;
    response.on('data', (chunk: Buffer) => {
      if (this.#isOver) return;
      received.chunks.push(chunk);
      received.bytes += chunk.length;
      if (received.bytes > this.#order.maxAnswerBytes) {
        this.#received = null;
        this.#fail(`the answer is longer than ${this.#order.maxAnswerBytes} bytes`);
      }
    });
    response.on('end', () => this.#end({ status: OK, body: textOf(received.chunks) }));
    response.on('error', () => this.#fail('unexpected EOF'));
  }

  /** Reports a failure, unless the part of the body that was received is a complete answer. */
  #fail(reason: string): void {
    const body = this.#received === null ? null : textOf(this.#received.chunks);
    if (body !== null && !('error' in decodeFirstJson(body))) this.#end({ status: OK, body });
    else this.#end({ error: body === null ? `Post ${JSON.stringify(this.#address)}: ${reason}` : reason });
    this.#abort();
  }

  #end(response: PostResponse): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#order.done(response);
  }
}

/** The method with which a redirect is followed; null if the status is no redirect. */
function redirectedMethod(status: number, method: 'POST' | 'GET'): 'POST' | 'GET' | null {
  if (status === 307 || status === 308) return method;
  return status === 301 || status === 302 || status === 303 ? 'GET' : null;
}

/** Why no request can be sent to the address, in Go's words; null if it can. */
function addressProblem(address: string): string | null {
  const [, scheme = ''] = /^([a-zA-Z][a-zA-Z\d+.-]*):/.exec(address) ?? [];
  if (!/^https?$/i.test(scheme)) return `unsupported protocol scheme ${JSON.stringify(scheme.toLowerCase())}`;
  if (/^https?:\/*$/i.test(address) || /^https?:(?:\/?[^/]|\/\/\/)/i.test(address))
    return 'http: no Host in request URL';
  return URL.canParse(address) ? null : `parse ${JSON.stringify(address)}: invalid URL`;
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}

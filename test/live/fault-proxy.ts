import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { newCertificate } from '../../src/apiserver/http/certificate.ts';
import { kubeconfigText } from '../../src/apiserver/kubeconfig.ts';
import { RealEventLoop } from '../../src/lib/event-loop.ts';
import type { ServedCluster } from '../../src/serving/served-cluster.ts';

/** What goes wrong with a request. */
export interface Fault {
  /** The server never hears of the request, which is answered with this status. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request is done, and its answer is lost: the connection breaks, or the answer has this status. */
  readonly lost?: true | number;
  readonly delayMillis?: number;
  /** The request is never answered. */
  readonly hangs?: true;
}

/** Says what goes wrong with a request; undefined: nothing. `count`: how many requests there were before it. */
export type FaultRule = (
  request: { readonly method: string; readonly path: string },
  count: number,
) => Fault | undefined;

/** Lines of a watch that are sent again when the next one of the resource begins. */
const REPEATED_LINES = 20;

/** An API server by TLS, with a certificate of its own, that passes requests on to a served cluster. */
export class FaultProxy implements AsyncDisposable {
  readonly #served: ServedCluster;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #certPem: string;
  readonly #loop = new RealEventLoop((error) => expect.fail(String(error)));
  readonly #watches = new Set<ServerResponse>();
  readonly #lastLines = new Map<string, string[]>();
  #count = 0;
  rule: FaultRule = () => undefined;
  /** The token that clients must send; requests are passed on with the cluster's own. */
  token = 'first';
  /** Whether the last events of a watch come once more at the beginning of the next one. */
  repeatsEvents = false;
  faultCount = 0;

  private constructor(served: ServedCluster, certificate: { readonly certPem: string; readonly keyPem: string }) {
    this.#served = served;
    this.#agent = new Agent({ keepAlive: true, ca: served.certPem });
    this.#certPem = certificate.certPem;
    this.#server = createServer({ cert: certificate.certPem, key: certificate.keyPem }, (incoming, response) => {
      this.#answer(incoming, response).catch(() => response.destroy());
    });
  }

  static async before(served: ServedCluster): Promise<FaultProxy> {
    const proxy = new FaultProxy(served, await newCertificate(['127.0.0.1'], Date.parse('2026-01-01')));
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Writes a kubeconfig by which clients find the proxy. */
  writeKubeconfig(file: string, change: (text: string) => string = (text) => text): string {
    const server = `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const text = kubeconfigText({ server, certPem: this.#certPem, token: this.token });
    writeFileSync(file, change(text), { mode: 0o600 });
    return file;
  }

  /** Ends all watches in the middle of what they do. */
  cutWatches(): void {
    for (const response of this.#watches) response.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    // Connections whose handshake has not ended are not closed by the first call.
    const closing = (): void => {
      this.#server.closeAllConnections();
      this.#loop.after(20, closing);
    };
    closing();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#loop.close();
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    if (headers.authorization !== `Bearer ${this.token}`) {
      response.writeHead(401).end();
      return;
    }
    const fault = this.rule({ method, path }, this.#count++);
    if (fault !== undefined) this.faultCount++;
    if (fault?.hangs) return;
    const { delayMillis = 0 } = fault ?? {};
    if (delayMillis > 0) await new Promise<void>((resolve) => void this.#loop.after(delayMillis, resolve));
    if (fault?.status !== undefined) {
      response.writeHead(fault.status, fault.headers).end();
      return;
    }
    const passedOn = {
      ...headers,
      authorization: `Bearer ${this.#served.token}`,
      host: new URL(this.#served.url).host,
    };
    const outgoing = request(this.#served.url + path, { method, headers: passedOn, agent: this.#agent }, (answer) => {
      if (fault?.lost === true) response.destroy();
      else if (fault?.lost !== undefined) response.writeHead(fault.lost).end();
      else this.#pass(path, answer, response);
      if (fault?.lost !== undefined) answer.resume();
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    outgoing.end(Buffer.concat(chunks));
  }

  #pass(path: string, answer: IncomingMessage, response: ServerResponse): void {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    if (!path.includes('watch=true')) {
      answer.pipe(response);
      return;
    }
    this.#watches.add(response);
    response.on('close', () => this.#watches.delete(response));
    const resource = path.split('?')[0] ?? '';
    const lines = this.#lastLines.get(resource) ?? [];
    this.#lastLines.set(resource, lines);
    if (this.repeatsEvents) for (const line of lines) response.write(`${line}\n`);
    answer.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}')));
      lines.splice(0, lines.length - REPEATED_LINES);
      response.write(text);
    });
    answer.on('end', () => response.end());
    answer.on('error', () => response.destroy());
  }
}

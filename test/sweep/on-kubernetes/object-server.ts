import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An object store over HTTP, in memory: PUT keeps, GET returns, and everybody needs the token. */
export class ObjectServer {
  readonly objects = new Map<string, Buffer>();
  /** How many of the next requests are answered 503, as a busy store does. */
  busyRequests = 0;
  /** The headers of the last request that was answered. */
  lastHeaders: NodeJS.Dict<string | string[]> = {};
  readonly #server: Server;
  readonly #isAllowed: (authorization: string) => boolean;

  constructor(isAllowed: (authorization: string) => boolean) {
    this.#isAllowed = isAllowed;
    this.#server = createServer((request, answer) => {
      const { method, headers, url = '' } = request;
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const refuse = (status: number, code: string) => {
          answer.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
        };
        if (this.busyRequests > 0) {
          this.busyRequests--;
          refuse(503, 'SlowDown');
          return;
        }
        this.lastHeaders = headers;
        const found = this.objects.get(url);
        if (!this.#isAllowed(headers.authorization ?? '')) refuse(403, 'AccessDenied');
        else if (method === 'PUT') {
          this.objects.set(url, Buffer.concat(chunks));
          answer.writeHead(200).end();
        } else if (found === undefined) refuse(404, 'NoSuchKey');
        else answer.writeHead(200).end(found);
      });
    });
  }

  /** Returns the server's URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

import type { Server, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { CodedError } from '../lib/errors.ts';
import { neededHostModule } from '../lib/host-modules.ts';

/** The source of the served metrics; null while there is no scheduler. */
export interface MetricsSource {
  readonly registry: Registry;
  /** Whether the scheduler's caches have synced. */
  readonly isReady: boolean;
}

const LOOPBACK = '127.0.0.1';
const PLAIN_TEXT = 'text/plain; charset=utf-8';

/**
 * Serves the HTTP endpoints of kube-scheduler: `/metrics` for Prometheus, `/healthz` and `/readyz` for probes.
 */
export class MetricsServer {
  readonly #server: Server;
  /** `http://127.0.0.1:10259` */
  readonly url: string;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  /**
   * Opens a server, without a host for this machine alone; port 0 stands for any free port.
   *
   * @throws CodedError `PortNotAvailable`
   */
  static open(port: number, source: () => MetricsSource | null, host: string = LOOPBACK): Promise<MetricsServer> {
    const server = neededHostModule('node:http').createServer((request, response) => {
      const path = (request.url ?? '/').replace(/\?.*$/, '');
      void answer(request.method ?? 'GET', path, source(), response).catch(() => response.destroy());
    });
    return new Promise((resolve, reject) => {
      server.once('error', (error) => {
        reject(new CodedError('PortNotAvailable', `port ${port} of ${host} cannot be served: ${error.message}`));
      });
      server.listen(port, host, () => {
        const address = server.address();
        const actualPort = typeof address === 'object' && address !== null ? address.port : port;
        resolve(new MetricsServer(server, `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`));
      });
    });
  }

  /** Stops serving; open connections are closed. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

async function answer(
  method: string,
  path: string,
  source: MetricsSource | null,
  response: ServerResponse,
): Promise<void> {
  const end = (status: number, text: string, type = PLAIN_TEXT): void => {
    response.writeHead(status, { 'content-type': type });
    response.end(method === 'HEAD' ? undefined : text);
  };
  if (method !== 'GET' && method !== 'HEAD') end(405, 'method not allowed\n');
  else if (path === '/healthz') end(200, 'ok');
  else if (path === '/readyz') end(source?.isReady ? 200 : 503, source?.isReady ? 'ok' : 'not ready');
  else if (path !== '/metrics') end(404, 'not found\n');
  else if (source === null) end(200, '');
  else end(200, await source.registry.metrics(), source.registry.contentType);
}

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { parse } from 'yaml';

export interface ApiAnswer {
  readonly status: number;
  readonly body: { readonly [name: string]: unknown; readonly items?: readonly { metadata: { name: string } }[] };
}

/** A client of a served API, which has its address and token from the kubeconfig. */
export class ApiClient {
  readonly server: string;
  readonly token: string;
  readonly #agent: Agent;

  constructor(kubeconfig: string) {
    const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8'));
    const { server, 'certificate-authority-data': authority } = clusters[0].cluster;
    this.server = server;
    this.token = users[0].user.token;
    this.#agent = new Agent({ keepAlive: true, ca: Buffer.from(authority, 'base64') });
  }

  /** Rejects when the connection breaks before the answer has come. */
  send(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.server}${path}`, { method, headers, agent: this.#agent }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

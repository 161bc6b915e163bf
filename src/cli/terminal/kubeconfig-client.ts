import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { CodedError } from '../../lib/errors.ts';
import { fileErrorReason } from '../../lib/file-errors.ts';
import { latePackage } from '../../lib/host-modules.ts';
import { isDeepYaml } from '../../lib/yaml-depth.ts';

interface Kubeconfig {
  readonly clusters?: readonly {
    readonly name?: string;
    readonly cluster?: { readonly server?: string; readonly 'certificate-authority-data'?: string };
  }[];
  readonly users?: readonly { readonly name?: string; readonly user?: { readonly token?: string } }[];
  readonly contexts?: readonly {
    readonly name?: string;
    readonly context?: { readonly cluster?: string; readonly user?: string };
  }[];
  readonly 'current-context'?: string;
}

/** Undefined for what is no YAML. */
function contentOf(text: string): Kubeconfig | null | undefined {
  try {
    return isDeepYaml(text) ? undefined : (latePackage('yaml').parse(text) as Kubeconfig | null);
  } catch {
    return undefined;
  }
}

/** Talks to the server of a kubeconfig that `berth serve` wrote. */
export class KubeconfigClient {
  readonly #server: string;
  readonly #token: string;
  readonly #agent: Agent;

  /** @throws CodedError `FileNotReadable` */
  constructor(name: string) {
    const refuse = (why: string): CodedError<'FileNotReadable'> =>
      new CodedError('FileNotReadable', `${name}: ${why}; berth serve writes it`);
    let text: string;
    try {
      text = readFileSync(name, 'utf8');
    } catch (error) {
      throw refuse(fileErrorReason(error, 'read'));
    }
    const config = contentOf(text);
    if (config === undefined) throw refuse('is not YAML');
    const context = config?.contexts?.find((one) => one.name === config?.['current-context'])?.context;
    const cluster = config?.clusters?.find((one) => one.name === context?.cluster)?.cluster;
    const token = config?.users?.find((one) => one.name === context?.user)?.user?.token;
    if (!cluster?.server?.startsWith('https://') || token === undefined) throw refuse('no address and token');
    this.#server = cluster.server;
    this.#token = token;
    this.#agent = new Agent({ ca: Buffer.from(cluster['certificate-authority-data'] ?? '', 'base64') });
  }

  /** The object that is answered. @throws CodedError `NotServed`, `Refused` */
  send(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        reject(new CodedError('NotServed', `${this.#server}: ${error.message}; is berth serve running?`));
      };
      const sent = request(`${this.#server}${path}`, { method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const answer = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
          if ((response.statusCode ?? 500) < 300) resolve(answer);
          else reject(new CodedError('Refused', String(answer['message'] ?? `${path}: ${response.statusCode}`)));
        });
      });
      sent.on('error', fail);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

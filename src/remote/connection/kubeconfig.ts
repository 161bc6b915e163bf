import type { RequestOptions } from 'node:https';
import { firstLineOf } from '../../lib/errors.ts';
import { errorCode, fileErrorReason } from '../../lib/file-errors.ts';
import { type ClientTls, type Credentials, KubeconfigError } from './credentials.ts';

/** Which cluster of which file. */
export interface KubeconfigOptions {
  /** The file; absent: $KUBECONFIG, ~/.kube/config, or the service account of the pod that this runs in. */
  readonly kubeconfig?: string | undefined;
  /** The context; absent: the current one of the file. */
  readonly context?: string | undefined;
}

type ClientNode = typeof import('@kubernetes/client-node');

/**
 * Reads where the cluster is and how to get in. Programs and identity providers that give tokens are asked by
 * `@kubernetes/client-node`, which must be installed beside this package.
 *
 * @throws KubeconfigError
 */
export async function loadKubeconfig({ kubeconfig, context }: KubeconfigOptions): Promise<Credentials> {
  const { KubeConfig } = await clientNode();
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
  } catch (error) {
    const reason = /^E[A-Z]+$/.test(errorCode(error)) ? fileErrorReason(error, 'read') : firstLineOf(error);
    throw new KubeconfigError(`kubeconfig${kubeconfig === undefined ? '' : ` ${kubeconfig}`}: ${reason}`);
  }
  const place = kubeconfig === undefined ? 'kubeconfig' : `kubeconfig ${kubeconfig}`;
  if (context !== undefined) config.setCurrentContext(context);
  const name = config.getCurrentContext();
  if (!name) throw new KubeconfigError(`${place}: current-context: is not set: name one with --context`);
  if (config.getContextObject(name) === null) throw new KubeconfigError(`${place}: there is no context "${name}"`);
  const cluster = config.getCurrentCluster();
  if (!cluster?.server) throw new KubeconfigError(`${place}: context "${name}" has no cluster with a server`);
  const apply = async (): Promise<RequestOptions> => {
    const options: RequestOptions = {};
    try {
      await config.applyToHTTPSOptions(options);
    } catch (error) {
      throw new KubeconfigError(`${place}: context "${name}": ${firstLineOf(error)}`);
    }
    return options;
  };
  return {
    server: cluster.server,
    tls: tlsOf(await apply()),
    namespace: config.getContextObject(name)?.namespace,
    headers: async () => headersOf(await apply()),
  };
}

async function clientNode(): Promise<ClientNode> {
  try {
    return await import('@kubernetes/client-node');
  } catch (error) {
    const why = firstLineOf(error);
    throw new KubeconfigError(
      `kubeconfigs are read by @kubernetes/client-node, version 1: npm install @kubernetes/client-node@1 (${why})`,
    );
  }
}

function tlsOf({ ca, cert, key, servername, rejectUnauthorized }: RequestOptions): ClientTls {
  return { ca, cert, key, servername, rejectUnauthorized } as ClientTls;
}

function headersOf({ headers = {}, auth }: RequestOptions): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const basic = auth ? { authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : {};
  return { ...Object.fromEntries(entries), ...basic };
}

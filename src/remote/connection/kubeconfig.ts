import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { dirname, resolve } from 'node:path';
import { firstLineOf } from '../../lib/errors.ts';
import { errorCode, fileErrorReason } from '../../lib/file-errors.ts';
import { type ClientTls, type Credentials, KubeconfigError } from './credentials.ts';
import { type CheckedContext, checkedServer, fileProblem, tlsProblem } from './kubeconfig-checks.ts';
import { type Environment, proxyFromEnvironment } from './proxy.ts';

/** Which cluster of which file. */
export interface KubeconfigOptions {
  /** The file; absent: $KUBECONFIG, ~/.kube/config, or the service account of the pod that this runs in. */
  readonly kubeconfig?: string | undefined;
  /** The context; absent: the current one of the file. */
  readonly context?: string | undefined;
  /** The variables that may name a proxy: HTTPS_PROXY, HTTP_PROXY and NO_PROXY; absent: none does. */
  readonly environment?: Environment | undefined;
}

type ClientNode = typeof import('@kubernetes/client-node');
type KubeConfig = InstanceType<ClientNode['KubeConfig']>;

/** A context of a kubeconfig, as the library has read it. */
export interface OpenKubeconfig {
  readonly client: ClientNode;
  /** The context is the current one of it. */
  readonly config: KubeConfig;
  /** The address of the API server, such as `https://10.0.0.1:6443`. */
  readonly server: string;
  /** The namespace of the context; undefined if it names none. */
  readonly namespace: string | undefined;
  /** What its checks read. */
  readonly checked: CheckedContext;
}

/** Reads a kubeconfig by the library, which is loaded only now. @throws KubeconfigError */
export async function openKubeconfig({ kubeconfig, context }: KubeconfigOptions): Promise<OpenKubeconfig> {
  const client = await clientNode();
  const config = new client.KubeConfig();
  const file = kubeconfig === undefined ? 'kubeconfig' : `kubeconfig ${kubeconfig}`;
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else {
      config.loadFromFile(kubeconfig);
      readTokenFiles(client, config, kubeconfig);
    }
  } catch (error) {
    throw new KubeconfigError(`${file}: ${readFailure(error)}`);
  }
  if (config.getCurrentCluster()?.server === NOWHERE) {
    throw new KubeconfigError('kubeconfig: there is none: name one with --kubeconfig or $KUBECONFIG');
  }
  if (context !== undefined) config.setCurrentContext(context);
  const name = config.getCurrentContext();
  if (!name) throw new KubeconfigError(`${file}: current-context: is not set: name one with --context`);
  const known = config.getContextObject(name);
  if (known === null) throw new KubeconfigError(`${file}: there is no context "${name}"`);
  const place = `${file}: context "${name}"`;
  const checked = { place, context: known, cluster: config.getCurrentCluster(), user: config.getCurrentUser() };
  return { client, config, server: checkedServer(checked), namespace: known.namespace, checked };
}

/** Where the library expects a cluster if it finds no kubeconfig. */
const NOWHERE = 'http://localhost:8080';

function readFailure(error: unknown): string {
  if (/^E[A-Z]+$/.test(errorCode(error))) return fileErrorReason(error, 'read');
  if (error instanceof TypeError) return 'is empty, or no kubeconfig';
  const isYaml = error instanceof Error && error.name === 'YAMLException';
  return isYaml ? `is not YAML: ${firstLineOf(error)}` : firstLineOf(error);
}

/**
 * Reads where the cluster is and how to get in. Programs and identity providers that give tokens are asked by
 * `@kubernetes/client-node`, which must be installed beside this package.
 *
 * @throws KubeconfigError
 */
export async function loadKubeconfig(options: KubeconfigOptions): Promise<Credentials> {
  let open = await openKubeconfig(options);
  const { server, namespace } = open;
  let tls = checkedTls(open, await applied(open));
  return {
    server,
    namespace,
    proxy: open.checked.cluster?.proxyUrl || (proxyFromEnvironment(server, options.environment ?? {}) ?? undefined),
    get tls() {
      return tls;
    },
    async headers(wereRefused) {
      // The library keeps what a program gave as long as that says it is valid; a file that is read anew has nothing.
      if (wereRefused) open = await openKubeconfig(options);
      const found = await applied(open);
      tls = checkedTls(open, found);
      return headersOf(found);
    },
  };
}

/** @throws KubeconfigError for certificates that no connection could use */
function checkedTls({ checked }: OpenKubeconfig, found: RequestOptions): ClientTls {
  const tls = tlsOf(found);
  const problem = tlsProblem(tls);
  if (problem !== null) throw new KubeconfigError(`${checked.place}: ${problem}`);
  return tls;
}

async function applied({ config, checked }: OpenKubeconfig): Promise<RequestOptions> {
  const requestOptions: RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(requestOptions);
  } catch (error) {
    const why = fileProblem(checked, error) ?? programProblem(config, error) ?? firstLineOf(error);
    throw new KubeconfigError(`${checked.place}: ${why}`);
  }
  return requestOptions;
}

/** What went wrong with a program that gives tokens. */
function programProblem(config: KubeConfig, error: unknown): string | null {
  const program = (config.getCurrentUser()?.exec as { readonly command?: string } | undefined)?.command;
  if (program === undefined) return null;
  const place = `exec "${program}"`;
  if (errorCode(error) === 'ENOENT') return `${place}: no such program`;
  return `${place}: ${error instanceof SyntaxError ? 'its output is no ExecCredential in JSON' : firstLineOf(error)}`;
}

/** The library knows no `tokenFile` of users but that of a pod's service account, which is read every minute. */
function readTokenFiles(client: ClientNode, config: KubeConfig, file: string): void {
  const raw = client.loadYaml<RawKubeconfig | null>(readFileSync(file, 'utf8'));
  for (const { name, user } of raw?.users ?? []) {
    const known = config.getUser(name ?? '') as { authProvider?: unknown } | null;
    if (known === null || !user?.tokenFile) continue;
    const tokenFile = resolve(dirname(file), user.tokenFile);
    known.authProvider = { name: 'tokenFile', config: { tokenFile } };
  }
}

interface RawKubeconfig {
  readonly users?: readonly { readonly name?: string; readonly user?: { readonly tokenFile?: string } | null }[] | null;
}

async function clientNode(): Promise<ClientNode> {
  try {
    return await import('@kubernetes/client-node');
  } catch (error) {
    const why = firstLineOf(error);
    throw new KubeconfigError(
      `clusters are reached by @kubernetes/client-node, version 1: npm install @kubernetes/client-node@1 (${why})`,
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

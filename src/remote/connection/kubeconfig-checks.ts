import { createPrivateKey, X509Certificate } from 'node:crypto';
import { fileErrorReason } from '../../lib/file-errors.ts';
import { type ClientTls, KubeconfigError } from './credentials.ts';
import { isProxyUrl } from './proxy.ts';

/** The parts of a context that are checked, as the library has read them. */
export interface CheckedContext {
  /** How messages name the file and the context. */
  readonly place: string;
  readonly context: { readonly cluster: string; readonly user: string };
  readonly cluster: { readonly server?: string; readonly caFile?: string; readonly proxyUrl?: string } | null;
  readonly user: {
    readonly certFile?: string;
    readonly keyFile?: string;
    readonly authProvider?: { readonly config?: { readonly tokenFile?: string } };
  } | null;
}

/** Returns the address of the cluster. @throws KubeconfigError for a context that leads to nothing */
export function checkedServer({ place, context, cluster, user }: CheckedContext): string {
  const server = cluster?.server;
  if (!server) throw new KubeconfigError(`${place}: there is no cluster "${context.cluster}" with a server`);
  if (!URL.canParse(server) || !/^https?:\/\//.test(server)) {
    const rule = 'must be a URL such as https://10.0.0.1:6443';
    throw new KubeconfigError(`${place}: cluster "${context.cluster}": server: ${JSON.stringify(server)}: ${rule}`);
  }
  const { proxyUrl } = cluster;
  if (proxyUrl && !isProxyUrl(proxyUrl)) {
    const rule = 'must be a URL with http, https or socks5, such as http://10.0.0.2:3128';
    throw new KubeconfigError(
      `${place}: cluster "${context.cluster}": proxy-url: ${JSON.stringify(proxyUrl)}: ${rule}`,
    );
  }
  if (user === null) throw new KubeconfigError(`${place}: there is no user "${context.user}"`);
  return server;
}

/** The library reads files of credentials late, and says badly what it cannot read; null for another error. */
export function fileProblem({ cluster, user }: CheckedContext, error: unknown): string | null {
  const { path } = (error ?? {}) as NodeJS.ErrnoException;
  if (path === undefined) return null;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['certificate-authority', cluster?.caFile],
    ['client-certificate', user?.certFile],
    ['client-key', user?.keyFile],
    ['tokenFile', user?.authProvider?.config?.tokenFile],
  ];
  const [field] = fields.find(([, file]) => file === path) ?? [];
  return field === undefined ? null : `${field}: ${path}: ${fileErrorReason(error, 'read')}`;
}

/** Finds certificates that no connection could use, which would fail without naming their field. */
export function tlsProblem({ ca, cert, key }: ClientTls): string | null {
  if (ca !== undefined && certificateIn(ca) === undefined) return `certificate-authority: ${NO_CERTIFICATE}`;
  if (cert === undefined) return key === undefined ? null : `client-certificate: ${IS_MISSING} client-key`;
  if (key === undefined) return `client-key: ${IS_MISSING} client-certificate`;
  const certificate = certificateIn(cert);
  if (certificate === undefined) return `client-certificate: ${NO_CERTIFICATE}`;
  const privateKey = keyIn(key);
  if (privateKey === undefined) return 'client-key: is no private key in PEM without a passphrase';
  const belongs = certificate.checkPrivateKey(privateKey);
  return belongs ? null : 'client-key: does not belong to the client-certificate';
}

const IS_MISSING = 'is missing, and there is a';
const NO_CERTIFICATE = 'is no certificate in PEM';

/** The first certificate of a PEM text; undefined if there is none. */
export function certificateIn(pem: string | Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function keyIn(pem: string | Buffer): ReturnType<typeof createPrivateKey> | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

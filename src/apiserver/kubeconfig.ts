import { stringify } from 'yaml';

export interface KubeconfigOptions {
  /** `https://127.0.0.1:6443` */
  readonly server: string;
  readonly certPem: string | undefined;
  readonly token: string | undefined;
}

const NAME = 'berth';

/** The file by which clients find the server and are let in. */
export function kubeconfigText({ server, certPem, token }: KubeconfigOptions): string {
  const authority =
    certPem === undefined ? {} : { 'certificate-authority-data': Buffer.from(certPem).toString('base64') };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: NAME, cluster: { server, ...authority } }],
    users: [{ name: NAME, user: token === undefined ? {} : { token } }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME } }],
    'current-context': NAME,
  });
}

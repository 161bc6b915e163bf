import { CodedError } from '../../lib/errors.ts';

/** How the server is verified, and what this client shows of itself; PEM texts. */
export interface ClientTls {
  readonly ca?: string | Buffer | undefined;
  readonly cert?: string | Buffer | undefined;
  readonly key?: string | Buffer | undefined;
  readonly servername?: string | undefined;
  /** False: the server's certificate is not verified. */
  readonly rejectUnauthorized?: boolean | undefined;
}

/** Where an API server is, and who asks it. */
export interface Credentials {
  /** `https://10.0.0.1:6443`; a path after the port stands before every path of the API. */
  readonly server: string;
  /** What a program gives may be another certificate after `headers`. */
  readonly tls: ClientTls;
  /** The proxy by which the server is reached; absent: none. */
  readonly proxy?: string | undefined;
  /** The namespace of the context; absent: `default`. */
  readonly namespace?: string | undefined;
  /**
   * Returns the headers that identify the caller, from a program or an identity provider if it must be. `wereRefused`:
   * those that it returned last are not valid any more, although they may not look so.
   */
  headers(wereRefused: boolean): Promise<Readonly<Record<string, string>>>;
}

/** A kubeconfig that cannot be used. */
export class KubeconfigError extends CodedError<'Kubeconfig'> {
  constructor(message: string) {
    super('Kubeconfig', message);
  }
}

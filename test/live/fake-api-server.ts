import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** An authority, or what one has signed. */
export interface CertificateRequest {
  readonly name: string;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** Absent: it vouches for itself, and for others. */
  readonly by?: KeyPair;
}

const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const FAR_AHEAD = new Date('2120-01-01T00:00:00Z');

export async function newKeyPair({ name, notBefore, notAfter, by }: CertificateRequest): Promise<KeyPair> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    ...{ keyType: 'ec', curve: 'P-256', algorithm: 'sha256' },
    ...{ notBeforeDate: notBefore ?? LONG_AGO, notAfterDate: notAfter ?? FAR_AHEAD },
    ...(by !== undefined && { ca: by }),
    extensions: [
      { name: 'basicConstraints', cA: by === undefined },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: by === undefined },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  return { cert, key };
}

/** Whom a server lets in, and what it allows. */
export interface FakeServerRules {
  readonly pair: KeyPair;
  /** The authority of client certificates. */
  readonly clients: KeyPair;
  /** `strict`: a connection needs a valid certificate, as behind some proxies; else the API decides. */
  readonly handshake?: 'strict';
  /** Tokens that are let in. */
  readonly tokens?: readonly string[];
  /** Rights that are missing, such as `create pods/binding`. */
  readonly denied?: ReadonlySet<string>;
}

interface Review {
  readonly spec: {
    readonly resourceAttributes: {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource?: string;
    };
  };
}

/** A server that lets nobody do more than to ask for its version and for rights, over TLS. */
export class FakeApiServer implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(rules: FakeServerRules): Promise<FakeApiServer> {
    const isStrict = rules.handshake === 'strict';
    const tls = { ...rules.pair, ca: rules.clients.cert, requestCert: true, rejectUnauthorized: isStrict };
    const server = createServer(tls, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { token = '' } = /^Bearer (?<token>.*)$/.exec(request.headers.authorization ?? '')?.groups ?? {};
        const socket = request.socket as TLSSocket;
        const isLetIn =
          (socket.authorized && 'subject' in socket.getPeerCertificate()) || rules.tokens?.includes(token);
        const body = Buffer.concat(chunks).toString();
        const [status, answer] = isLetIn ? answerTo(`${request.url}`, body, rules.denied ?? new Set()) : UNAUTHORIZED;
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FakeApiServer(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

type Answer = readonly [status: number, body: object];

function refusal(code: number, reason: string, message: string): Answer {
  return [code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }];
}

const UNAUTHORIZED = refusal(401, 'Unauthorized', 'Unauthorized');

function answerTo(path: string, body: string, denied: ReadonlySet<string>): Answer {
  if (path === '/version') return [200, { major: '1', minor: '36', gitVersion: 'v1.36.2' }];
  if (path.endsWith('/selfsubjectaccessreviews')) {
    const { spec } = JSON.parse(body) as Review;
    const { verb, group, resource, subresource } = spec.resourceAttributes;
    const what = [group === '' ? resource : `${resource}.${group}`, subresource].filter(Boolean).join('/');
    return [201, { kind: 'SelfSubjectAccessReview', spec, status: { allowed: !denied.has(`${verb} ${what}`) } }];
  }
  if (/^\/apis?\/\S*v1\w*$/.test(path))
    return [200, { kind: 'APIResourceList', resources: [{ name: 'nodes' }, { name: 'pods' }] }];
  return refusal(403, 'Forbidden', `forbidden: User "u" cannot ask for ${path}`);
}

import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { objectAt, textAt } from '../defaults/members.ts';
import type { JsonObject } from '../object/json.ts';

const CERTIFICATE = 'tls.crt';
const KEY = 'tls.key';

/** What Go's crypto/tls says to the key and certificate of a secret of type `kubernetes.io/tls`. */
export function certificateWarnings(secret: JsonObject): string[] {
  if (textAt(secret, 'type') !== 'kubernetes.io/tls') return [];
  const data = objectAt(secret, 'data');
  const text = (name: string): string => Buffer.from(textAt(data, name), 'base64').toString('latin1');
  const problem = pairProblem(text(CERTIFICATE), text(KEY));
  return problem === undefined ? [] : [`tls: ${problem}`];
}

/** Upstream: crypto/tls.X509KeyPair. */
function pairProblem(certificate: string, key: string): string | undefined {
  const certificates = blocksOf(certificate);
  if (!certificates.some(({ type }) => type === 'CERTIFICATE')) return missingCertificate(certificates);
  const keys = blocksOf(key);
  const found = keys.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (found === undefined) return missingKey(keys);
  const leaf = certificates.find(({ type }) => type === 'CERTIFICATE') as PemBlock;
  const publicKey = attempt(() => new X509Certificate(leaf.text).publicKey);
  // Go names the byte at which it gives up; the API's clients see no more of it than that the certificate is bad.
  if (publicKey === undefined) return 'failed to parse certificate';
  const privateKey = attempt(() => createPrivateKey(found.text));
  if (privateKey === undefined) return 'failed to parse private key';
  if (privateKey.asymmetricKeyType !== publicKey.asymmetricKeyType) {
    return 'private key type does not match public key type';
  }
  return isSameKey(createPublicKey(privateKey), publicKey) ? undefined : 'private key does not match public key';
}

function isSameKey(a: KeyObject, b: KeyObject): boolean {
  return a.export({ type: 'spki', format: 'pem' }) === b.export({ type: 'spki', format: 'pem' });
}

function missingCertificate(blocks: readonly PemBlock[]): string {
  if (blocks.length === 0) return 'failed to find any PEM data in certificate input';
  const [first] = blocks;
  if (blocks.length === 1 && first?.type.endsWith('PRIVATE KEY')) {
    const hint = 'PEM inputs may have been switched';
    return `failed to find certificate PEM data in certificate input, but did find a private key; ${hint}`;
  }
  return `failed to find "CERTIFICATE" PEM block in certificate input after skipping ${skipped(blocks)}`;
}

function missingKey(blocks: readonly PemBlock[]): string {
  if (blocks.length === 0) return 'failed to find any PEM data in key input';
  if (blocks.length === 1 && blocks[0]?.type === 'CERTIFICATE') {
    return 'found a certificate rather than a key in the PEM for the private key';
  }
  const what = 'PEM block with type ending in "PRIVATE KEY"';
  return `failed to find ${what} in key input after skipping ${skipped(blocks)}`;
}

function skipped(blocks: readonly PemBlock[]): string {
  return `PEM blocks of the following types: [${blocks.map(({ type }) => type).join(' ')}]`;
}

interface PemBlock {
  readonly type: string;
  readonly text: string;
}

function blocksOf(text: string): PemBlock[] {
  const pattern = /-----BEGIN ([^-\n]+)-----\r?\n[\s\S]*?-----END \1-----/g;
  return [...text.matchAll(pattern)].map(([whole, type = '']) => ({ type, text: whole }));
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

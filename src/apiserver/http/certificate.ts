import { generate } from 'selfsigned';

export interface Certificate {
  readonly certPem: string;
  readonly keyPem: string;
}

const DAY_MILLIS = 86_400_000;
const VALID_DAYS = 365;

/** Makes a fresh certificate for the names, some of which are IP addresses, that vouches for itself. */
export async function newCertificate(names: readonly string[], nowMillis: number): Promise<Certificate> {
  const altNames = names.map((name) =>
    isAddress(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
  );
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'berth' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // Clocks of clients may be a little behind.
    notBeforeDate: new Date(nowMillis - DAY_MILLIS),
    notAfterDate: new Date(nowMillis + VALID_DAYS * DAY_MILLIS),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  return { certPem: cert, keyPem: key };
}

function isAddress(name: string): boolean {
  return /^[\d.]+$/.test(name) || name.includes(':');
}

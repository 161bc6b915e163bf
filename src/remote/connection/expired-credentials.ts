import type { Credentials } from './credentials.ts';
import { certificateIn } from './kubeconfig-checks.ts';

/**
 * Says which of the credentials has expired, which a server that refuses them does not say; null if none has, or none
 * says until when it is valid.
 */
export async function expiryOf(credentials: Credentials, nowMillis: number): Promise<string | null> {
  const { cert } = credentials.tls;
  const certificate = cert === undefined ? undefined : certificateIn(cert);
  const certificateMillis = certificate === undefined ? Number.POSITIVE_INFINITY : Date.parse(certificate.validTo);
  if (certificateMillis <= nowMillis) return `the client certificate expired at ${timeText(certificateMillis)}`;
  const { authorization = '' } = await credentials.headers(false);
  const tokenMillis = expiryOfToken(authorization.replace(/^Bearer /, ''));
  return tokenMillis <= nowMillis ? `the token expired at ${timeText(tokenMillis)}` : null;
}

/** When a JSON Web Token ends, as its own claim says; other tokens do not say it. */
function expiryOfToken(token: string): number {
  const [, payload] = token.split('.');
  if (payload === undefined) return Number.POSITIVE_INFINITY;
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly exp?: unknown };
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function timeText(millis: number): string {
  return `${new Date(millis).toISOString().slice(0, 19)}Z`;
}

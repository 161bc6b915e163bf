/** The text of a request error, by Node's error code, in the words of Go's net and crypto/tls. */
export function failureText(error: Placed): string {
  const { code = '', message } = error;
  const place = placeOf(error);
  const known = CONNECT_FAILURES[code];
  if (known !== undefined) return `dial tcp ${place}: connect: ${known}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${error.hostname ?? ''}: no such host`;
  if (message === 'socket hang up') return 'EOF';
  if (code === 'ECONNRESET') return 'read: connection reset by peer';
  if (code.startsWith('HPE_')) return 'net/http: HTTP/1.x transport connection broken: malformed HTTP response';
  if (code === 'UND_ERR_SOCKET') return 'the server closed the connection';
  const [, alert] = /^ERR_SSL_\w*?_ALERT_(\w+)$/.exec(code) ?? [];
  if (alert !== undefined) return `remote error: tls: ${alert.toLowerCase().replaceAll('_', ' ')}`;
  const certificate = CERTIFICATE_FAILURES[code];
  return certificate === undefined ? message : `tls: failed to verify certificate: x509: ${certificate}`;
}

const CONNECT_FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
};

const UNKNOWN_AUTHORITY = 'certificate signed by unknown authority';
const CERTIFICATE_FAILURES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'certificate has expired or is not yet valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is not valid for this name',
};

interface Placed extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  /** The errors of the single addresses, for a host with several addresses that all failed. */
  readonly errors?: readonly Placed[];
}

function placeOf({ errors = [], ...error }: Placed): string {
  const { address = '', port = 0 } = errors[0] ?? error;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

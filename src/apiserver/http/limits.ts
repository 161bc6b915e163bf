/** What one client may take of the server, so that others are served as well. */
export interface HttpLimits {
  /** The bytes of the line and the headers of a request. */
  readonly headerBytes: number;
  /** The bytes of a body. Upstream: 3 MiB. */
  readonly bodyBytes: number;
  /** How long a client may take for its headers. */
  readonly headersMillis: number;
  /** How long a client may take for a whole request. */
  readonly requestMillis: number;
  /** How long a client may take nothing of what is sent to it. */
  readonly stallMillis: number;
  /** How long a connection is kept on which nothing is asked. */
  readonly idleMillis: number;
  /** A watch takes a connection of its own, so watches are limited as well. */
  readonly connections: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headerBytes: 64 * 1024,
  bodyBytes: 3 * 1024 * 1024,
  headersMillis: 20_000,
  requestMillis: 60_000,
  stallMillis: 60_000,
  idleMillis: 60_000,
  connections: 4096,
};

/** The limits as `node:http` takes them. */
export function serverOptions({ headerBytes, headersMillis, requestMillis, idleMillis }: HttpLimits) {
  return {
    maxHeaderSize: headerBytes,
    headersTimeout: headersMillis,
    requestTimeout: requestMillis,
    keepAliveTimeout: idleMillis,
    connectionsCheckingInterval: Math.min(headersMillis, 10_000),
  };
}

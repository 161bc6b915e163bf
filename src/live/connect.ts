import { CodedError, firstLineOf } from '../lib/errors.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import { latePackage } from '../lib/host-modules.ts';
import type { Credentials } from '../remote/connection/credentials.ts';
import { expiryOf } from '../remote/connection/expired-credentials.ts';
import { type ConnectionOptions, KubeConnection } from '../remote/connection/kube-connection.ts';
import { NetworkFailure } from '../remote/connection/network-failure.ts';
import { ApiError } from '../store/objects/api-error.ts';

/** Whether the server does not know the caller, which some servers say by breaking the connection. */
function refusesCaller(error: unknown): boolean {
  return error instanceof NetworkFailure
    ? error.isBroken
    : error instanceof ApiError && error.reason === 'Unauthorized';
}

/**
 * Opens the connection to an API server, and asks for its version, so that a server that cannot be reached, and
 * credentials that it refuses, are known before anything begins.
 *
 * @throws CodedError `Unreachable`
 */
export async function connect(
  credentials: Credentials,
  loop: EventLoop,
  options: ConnectionOptions = {},
): Promise<KubeConnection> {
  const connection = new KubeConnection(latePackage('undici', import.meta.url), credentials, loop, options);
  try {
    await connection.request({ method: 'GET', path: '/version' });
  } catch (error) {
    await connection.close();
    if (error instanceof CodedError && error.code === 'Kubeconfig') throw error;
    const expired = refusesCaller(error) ? await expiryOf(credentials, loop.nowMillis()) : null;
    const why = `${firstLineOf(error)}${expired === null ? '' : ` (${expired})`}`;
    throw new CodedError('Unreachable', `${credentials.server}: ${why}`);
  }
  return connection;
}

/** Which version of Kubernetes 1 the server is; some providers append a plus sign. Rejects with an ApiError. */
export async function minorVersionOf(connection: KubeConnection): Promise<number> {
  const { minor = '' } = await connection.request<{ readonly minor?: string }>({ method: 'GET', path: '/version' });
  return Number.parseInt(minor, 10);
}

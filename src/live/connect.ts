import { CodedError, firstLineOf } from '../lib/errors.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import { latePackage } from '../lib/host-modules.ts';
import type { Credentials } from '../remote/connection/credentials.ts';
import { type ConnectionOptions, KubeConnection } from '../remote/connection/kube-connection.ts';

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
  const connection = new KubeConnection(latePackage('undici'), credentials, loop, options);
  try {
    await connection.request({ method: 'GET', path: '/version' });
  } catch (error) {
    await connection.close();
    if (error instanceof CodedError && error.code === 'Kubeconfig') throw error;
    throw new CodedError('Unreachable', `${credentials.server}: ${firstLineOf(error)}`);
  }
  return connection;
}

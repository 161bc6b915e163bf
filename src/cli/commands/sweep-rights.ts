import { checkRights, type Right } from '../../live/rights.ts';
import type { ClusterFlags } from '../flags/cluster-flags.ts';
import { connectTo } from './connect-to.ts';

/** What a sweep does with its Jobs. */
const RIGHTS: readonly Omit<Right, 'namespace'>[] = [
  ...['get', 'list', 'watch', 'create', 'delete'].map((verb) => ({ verb, group: 'batch', resource: 'jobs' })),
  ...['create', 'deletecollection'].map((verb) => ({ verb, group: '', resource: 'configmaps' })),
  ...['list', 'watch'].map((verb) => ({ verb, group: '', resource: 'pods' })),
  { verb: 'get', group: '', resource: 'pods', subresource: 'log' },
];

/**
 * Finds out whether the cluster can be reached, and lets this caller run sweeps in the namespace, before anything is
 * created in it.
 *
 * @throws CodedError
 */
export async function checkSweepRights(flags: ClusterFlags, namespace: string): Promise<void> {
  // Nothing is put on the loop but pauses of requests, which cannot fail.
  const { connection, loop } = await connectTo(flags, { userAgent: 'berth-sweep' }, () => {});
  try {
    await checkRights(
      connection,
      RIGHTS.map((right) => ({ ...right, namespace })),
    );
  } finally {
    await connection.close();
    loop.close();
  }
}

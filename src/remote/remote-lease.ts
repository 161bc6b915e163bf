import type { Lease } from '../api/lease.ts';
import type { ApiCall, KubeConnection } from './connection/kube-connection.ts';
import type { LeaseClient } from './leader-election/leader-elector.ts';
import { objectPath, resourcePath } from './resource-path.ts';

const TYPE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };

/** A lease of an API server. */
export function remoteLease(connection: KubeConnection, namespace: string, name: string): LeaseClient {
  const path = objectPath('leases', namespace, name);
  const ask = (call: ApiCall): Promise<Lease> => connection.request({ ...call, purpose: 'lease' });
  return {
    get: () => ask({ method: 'GET', path }),
    create: (lease: Lease) =>
      ask({ method: 'POST', path: resourcePath('leases', namespace), body: { ...TYPE, ...lease } }),
    update: (lease: Lease) => ask({ method: 'PUT', path, body: { ...TYPE, ...lease } }),
  };
}

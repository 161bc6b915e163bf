import type { KubernetesObject, Time } from './meta.ts';
import { millisOfTime } from './time.ts';

/** A coordination.k8s.io/v1 Lease: who holds something, and until when. Node agents renew one as their heartbeat. */
export interface Lease extends KubernetesObject {
  readonly spec?:
    | {
        readonly holderIdentity?: string | undefined;
        readonly leaseDurationSeconds?: number | undefined;
        readonly acquireTime?: Time | undefined;
        readonly renewTime?: Time | undefined;
        readonly leaseTransitions?: number | undefined;
      }
    | undefined;
}

/** The namespace of node agents' leases, which have the names of their nodes. */
export const NODE_LEASE_NAMESPACE = 'kube-node-lease';

/**
 * An annotation of a lease that its holder renews after each of so many seconds without writing: as long as it is set,
 * readers must compute the renewals themselves. Otherwise ten thousand node agents would write a thousand leases a
 * second although nothing has changed.
 */
export const SILENT_RENEWAL = 'berth.dev/renewed-every-seconds';

/** When the lease was last renewed, silently or not; undefined if it never was. */
export function renewedMillis({ metadata, spec }: Lease, nowMillis: number): number | undefined {
  if (spec?.renewTime === undefined) return undefined;
  const writtenMillis = millisOfTime(spec.renewTime);
  const periodMillis = 1000 * Number(metadata?.annotations?.[SILENT_RENEWAL] ?? Number.NaN);
  if (!(periodMillis > 0) || nowMillis < writtenMillis) return writtenMillis;
  return writtenMillis + Math.floor((nowMillis - writtenMillis) / periodMillis) * periodMillis;
}

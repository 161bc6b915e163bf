import type { ObjectMeta, Time } from './meta.ts';

/** A coordination.k8s.io/v1 Lease: who holds something, and until when. Node agents renew one as their heartbeat. */
export interface Lease {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: ObjectMeta | undefined;
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

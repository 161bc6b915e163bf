import type { Pod } from '../../api/pod.ts';
import type { Operation } from '../containers/container-runtime.ts';
import type { RuntimePodStatus } from '../pleg/runtime.ts';

/** The result of one sync of a pod. */
export interface SyncResult {
  /** The error; undefined if the sync brought the pod as far as it could. */
  readonly error?: SyncError | undefined;
  /** Whether the pod has ended by itself. */
  readonly isTerminal?: boolean | undefined;
  /** Whether the runtime was ordered to do something. */
  readonly hasActed?: boolean | undefined;
}

export interface SyncError {
  readonly kind: 'network-not-ready' | 'back-off' | 'other';
  readonly message: string;
  /** The time at which a back-off ends. */
  readonly retryAtMillis?: number | undefined;
}

export type OnSynced = (result: SyncResult) => void;

/** The steps of a pod worker. Each takes time, and may be cancelled, after which `onSynced` is not called. */
export interface PodSyncer {
  syncPod(pod: Pod, status: RuntimePodStatus, onSynced: OnSynced): Operation;
  syncTerminatingPod(pod: Pod, status: RuntimePodStatus, graceSeconds: number, onSynced: OnSynced): Operation;
  syncTerminatedPod(pod: Pod, status: RuntimePodStatus, onSynced: OnSynced): Operation;
}

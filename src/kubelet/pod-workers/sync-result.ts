import type { Pod } from '../../api/pod.ts';
import type { Operation } from '../containers/container-runtime.ts';
import type { RuntimePodStatus } from '../pleg/runtime.ts';

/** What came of one sync of a pod. */
export interface SyncResult {
  /** undefined: it is as it should be, as far as this sync could bring it. */
  readonly error?: SyncError | undefined;
  /** The pod has ended by itself. */
  readonly isTerminal?: boolean | undefined;
  /** The runtime was told to do something. */
  readonly hasActed?: boolean | undefined;
}

export interface SyncError {
  readonly kind: 'network-not-ready' | 'back-off' | 'other';
  readonly message: string;
  /** Of a back-off: when it is over. */
  readonly retryAtMillis?: number | undefined;
}

export type OnSynced = (result: SyncResult) => void;

/** What a pod worker has done to its pod. Each takes its time, and may be cancelled; then nobody is told. */
export interface PodSyncer {
  syncPod(pod: Pod, status: RuntimePodStatus, onSynced: OnSynced): Operation;
  syncTerminatingPod(pod: Pod, status: RuntimePodStatus, graceSeconds: number, onSynced: OnSynced): Operation;
  syncTerminatedPod(pod: Pod, status: RuntimePodStatus, onSynced: OnSynced): Operation;
}

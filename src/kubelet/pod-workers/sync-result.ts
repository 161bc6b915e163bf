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
  readonly message: string;
  /** The time at which the back-off of a container ends; undefined for any other error. */
  readonly retryAtMillis?: number | undefined;
}

export type OnSynced = (result: SyncResult) => void;

/** The steps of a pod worker. Each takes time, and may be cancelled, after which `onSynced` is not called. */
export interface PodSyncer {
  syncPod(pod: Pod, status: RuntimePodStatus, onSynced: OnSynced): Operation;
  syncTerminatingPod(pod: Pod, status: RuntimePodStatus, graceSeconds: number, onSynced: OnSynced): Operation;
  syncTerminatedPod(pod: Pod, status: RuntimePodStatus, onSynced: OnSynced): Operation;
}

/** Upstream: syncFrequency and backOffPeriod of pkg/kubelet. */
const RESYNC_INTERVAL_MILLIS = 60_000;
const BACK_OFF_MILLIS = 10_000;
/** Delays are prolonged by up to this share, so that pods that were synced together do not stay together. */
const JITTER = 0.5;

/** Why a pod is to be synced again. */
export type NextSyncCause =
  | { readonly type: 'phase transition' }
  | { readonly type: 'success' }
  | { readonly type: 'error'; readonly error: SyncError };

/**
 * The time until a pod is synced again by itself. `share`: the drawn part of the jitter, in [0, 1).
 *
 * | the last sync | next |
 * |---|---|
 * | moved the pod on to another state | at once |
 * | was good | resync interval, 1 min |
 * | found a container in back-off | when that is over, at most the resync interval |
 * | failed otherwise | 10 s |
 *
 * Upstream: completeWork in pkg/kubelet/pod_workers.go.
 */
export function nextSyncMillis(cause: NextSyncCause, nowMillis: number, share: number): number {
  switch (cause.type) {
    case 'phase transition':
      return 0;
    case 'success':
      return jittered(RESYNC_INTERVAL_MILLIS, share);
    case 'error':
      return jittered(backOffMillis(cause.error, nowMillis), share);
  }
}

function backOffMillis({ retryAtMillis }: SyncError, nowMillis: number): number {
  if (retryAtMillis === undefined) return BACK_OFF_MILLIS;
  return Math.min(Math.max(0, retryAtMillis - nowMillis), RESYNC_INTERVAL_MILLIS);
}

/** The delay with jitter, in whole milliseconds. */
function jittered(millis: number, share: number): number {
  return Math.floor(millis * (1 + JITTER * share));
}

/**
 * How long a pod's containers have to end: what its deletion says, else its spec; at least a second, and never longer
 * than before. Upstream: calculateEffectiveGracePeriod in pkg/kubelet/pod_workers.go.
 */
export function effectiveGraceSeconds({ metadata, spec }: Pod, before: number | undefined): number {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  const ofDeletion = deletionTimestamp === undefined ? undefined : deletionGracePeriodSeconds;
  const wanted = ofDeletion || before || spec?.terminationGracePeriodSeconds || 0;
  const isForced = deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0;
  const seconds = Math.max(1, isForced ? 1 : wanted);
  return before === undefined ? seconds : Math.min(before, seconds);
}

import type { SyncError } from './sync-result.ts';

/** Upstream: syncFrequency, backOffPeriod and backOffOnTransientErrorPeriod of pkg/kubelet. */
const RESYNC_INTERVAL_MILLIS = 60_000;
const BACK_OFF_MILLIS = 10_000;
const TRANSIENT_BACK_OFF_MILLIS = 1000;
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
 * | found that the network is not ready | 1 s |
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

function backOffMillis({ kind, retryAtMillis }: SyncError, nowMillis: number): number {
  if (kind === 'network-not-ready') return TRANSIENT_BACK_OFF_MILLIS;
  if (retryAtMillis === undefined) return BACK_OFF_MILLIS;
  return Math.min(Math.max(0, retryAtMillis - nowMillis), RESYNC_INTERVAL_MILLIS);
}

/** The delay with jitter, in whole milliseconds. */
function jittered(millis: number, share: number): number {
  return Math.floor(millis * (1 + JITTER * share));
}

/** Why the collector deleted a pod. */
export type PodGcReason = 'terminated' | 'out-of-service' | 'orphaned' | 'unscheduled';

export interface PodGcCount {
  /** The number of pods that were to be deleted. */
  total: number;
  /** The number of pods among them that could not be set to `Failed`, or not be deleted. */
  errors: number;
}

/** The metrics of the collector. Upstream: pkg/controller/podgc/metrics. */
export type PodGcMetrics = Readonly<Record<PodGcReason, PodGcCount>>;

export function zeroPodGcMetrics(): PodGcMetrics {
  const zero = (): PodGcCount => ({ total: 0, errors: 0 });
  return { terminated: zero(), 'out-of-service': zero(), orphaned: zero(), unscheduled: zero() };
}

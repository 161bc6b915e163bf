/** Why the collector deleted a pod. */
export type PodGcReason = 'terminated' | 'out-of-service' | 'orphaned' | 'unscheduled';

export interface PodGcCount {
  /** Pods that were tried. */
  total: number;
  /** Those of them that could not be made to fail, or not be deleted. */
  errors: number;
}

/** Upstream: pkg/controller/podgc/metrics. */
export type PodGcMetrics = Readonly<Record<PodGcReason, PodGcCount>>;

export function zeroPodGcMetrics(): PodGcMetrics {
  const zero = (): PodGcCount => ({ total: 0, errors: 0 });
  return { terminated: zero(), 'out-of-service': zero(), orphaned: zero(), unscheduled: zero() };
}

import type { ObjectMeta } from './meta.ts';

/** A scheduling.k8s.io/v1 PriorityClass: a name for a priority. */
export interface PriorityClass {
  readonly metadata?: ObjectMeta | undefined;
  readonly value: number;
  /** For pods that name no class; at most one class is it. */
  readonly globalDefault?: boolean | undefined;
  /** `PreemptLowerPriority` (also when absent) or `Never` */
  readonly preemptionPolicy?: string | undefined;
}

/** Names with this prefix are the system's own. */
export const SYSTEM_PRIORITY_PREFIX = 'system-';

/** User-made classes lie below the system's (pkg/apis/scheduling/types.go). */
export const USER_PRIORITY_MAX = 1_000_000_000;

/** Classes that every cluster has. */
export const SYSTEM_PRIORITY_CLASSES: ReadonlyMap<string, PriorityClass> = new Map(
  [
    { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 },
    { metadata: { name: 'system-cluster-critical' }, value: 2_000_000_000 },
  ].map((priorityClass) => [priorityClass.metadata.name, priorityClass]),
);

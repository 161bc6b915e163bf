import type { ObjectMeta } from './meta.ts';

/** A scheduling.k8s.io/v1 PriorityClass: a name for a priority. */
export interface PriorityClass {
  readonly metadata?: ObjectMeta | undefined;
  readonly value: number;
  /** Whether the class is that of pods without one; at most one class is. */
  readonly globalDefault?: boolean | undefined;
  /** `PreemptLowerPriority` (also when absent) or `Never` */
  readonly preemptionPolicy?: string | undefined;
}

/** The prefix of names that are reserved for the system. */
export const SYSTEM_PRIORITY_PREFIX = 'system-';

/** The highest value of user-defined classes (pkg/apis/scheduling/types.go). */
export const USER_PRIORITY_MAX = 1_000_000_000;

/** Classes that exist in every cluster. */
export const SYSTEM_PRIORITY_CLASSES: ReadonlyMap<string, PriorityClass> = new Map(
  [
    { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 },
    { metadata: { name: 'system-cluster-critical' }, value: 2_000_000_000 },
  ].map((priorityClass) => [priorityClass.metadata.name, priorityClass]),
);

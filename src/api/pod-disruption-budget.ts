import type { LabelSelector } from './label-selector.ts';
import type { Condition, ObjectMeta, Time } from './meta.ts';

/** A policy/v1 PodDisruptionBudget: how many pods of a selection may still be evicted. */
export interface PodDisruptionBudget {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?:
    | {
        readonly selector?: LabelSelector | undefined;
        /** A number of pods, or a percentage (`50%`). */
        readonly minAvailable?: number | string | undefined;
        readonly maxUnavailable?: number | string | undefined;
        /**
         * Whether pods that are not ready may always be evicted: `IfHealthyBudget` (also when absent) or `AlwaysAllow`.
         */
        readonly unhealthyPodEvictionPolicy?: string | undefined;
      }
    | undefined;
  readonly status?:
    | {
        /** The generation for which the disruption controller computed this status. */
        readonly observedGeneration?: number | undefined;
        readonly disruptionsAllowed?: number | undefined;
        readonly currentHealthy?: number | undefined;
        readonly desiredHealthy?: number | undefined;
        readonly expectedPods?: number | undefined;
        /** The granted evictions that the disruption controller has not seen yet, with their times, by pod name. */
        readonly disruptedPods?: Readonly<Record<string, Time>> | undefined;
        readonly conditions?: readonly Condition[] | undefined;
      }
    | undefined;
}

/** The conditions with the current `DisruptionAllowed`. Upstream: UpdateDisruptionAllowedCondition. */
export function disruptionConditions(
  { metadata, status }: PodDisruptionBudget,
  reason: 'SufficientPods' | 'InsufficientPods' | 'SyncFailed',
  message: string,
  now: string,
): readonly Condition[] {
  const type = 'DisruptionAllowed';
  const value = reason === 'SufficientPods' ? 'True' : 'False';
  const before = status?.conditions?.find((condition) => condition.type === type);
  const lastTransitionTime = before?.status === value ? before.lastTransitionTime : now;
  const observedGeneration = metadata?.generation;
  const condition = { type, status: value, reason, message, lastTransitionTime, observedGeneration };
  return [...(status?.conditions ?? []).filter((other) => other !== before), condition];
}

import type { LabelSelector } from './label-selector.ts';
import type { ObjectMeta } from './meta.ts';

/** A policy/v1 PodDisruptionBudget: how many pods of a selection may still be evicted. */
export interface PodDisruptionBudget {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: { readonly selector?: LabelSelector | undefined } | undefined;
  readonly status?:
    | {
        readonly disruptionsAllowed?: number | undefined;
        readonly disruptedPods?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
}

import type { Taint } from './node.ts';

/** A taint that a pod tolerates (v1 Toleration). */
export interface Toleration {
  /** The key; absent or empty matches any key. */
  readonly key?: string | undefined;
  /** `Equal` (also when absent or empty) or `Exists`; any other operator tolerates nothing. */
  readonly operator?: string | undefined;
  readonly value?: string | undefined;
  /** The effect; absent or empty matches any effect. */
  readonly effect?: string | undefined;
  /** How long the taint is tolerated; it only matters to eviction. */
  readonly tolerationSeconds?: number | undefined;
}

export type EffectFilter = (effect: string) => boolean;

/** The effects that keep a pod off a node; PreferNoSchedule only lowers its score. */
export const DO_NOT_SCHEDULE: EffectFilter = (effect) => effect === 'NoSchedule' || effect === 'NoExecute';

/**
 * Whether the toleration covers the taint. Upstream: api/core/v1/toleration.go. The operators `Lt` and `Gt` belong to a
 * feature gate that is off in v1.36, so they count as unknown.
 */
export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  switch (toleration.operator ?? '') {
    case '':
    case 'Equal':
      return (toleration.value ?? '') === (taint.value ?? '');
    case 'Exists':
      return true;
    default:
      return false;
  }
}

/** Whether one of the tolerations covers the taint. */
export function toleratesAny(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  if (!tolerations) return false;
  for (const toleration of tolerations) if (toleratesTaint(toleration, taint)) return true;
  return false;
}

/** The first taint whose effect passes the filter and that no toleration covers; undefined when all are tolerated. */
export function findUntoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effectFilter: EffectFilter,
): Taint | undefined {
  if (!taints) return undefined;
  for (const taint of taints) {
    if (effectFilter(taint.effect) && !toleratesAny(tolerations, taint)) return taint;
  }
  return undefined;
}

/**
 * How long a pod may stay on a node with these NoExecute taints: 0 when it does not tolerate one of them, Infinity when
 * it tolerates all without limit, otherwise the shortest of the times in its matching tolerations.
 *
 * Upstream: getMinTolerationTime in pkg/controller/tainteviction/taint_eviction.go.
 */
export function toleratedMillis(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  let millis = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    const used = tolerations.filter((toleration) => toleratesTaint(toleration, taint));
    if (used.length === 0) return 0;
    for (const { tolerationSeconds } of used) {
      if (tolerationSeconds !== undefined) millis = Math.min(millis, Math.max(0, tolerationSeconds) * 1000);
    }
  }
  return millis;
}

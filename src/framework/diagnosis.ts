import type { NodeToStatus } from './post-filter.ts';
import type { Status } from './status.ts';

/** Who rejected a pod that fits nowhere (upstream's Diagnosis). */
export interface Diagnosis {
  readonly unschedulablePlugins: ReadonlySet<string>;
  /** Those of them that wait for something. */
  readonly pendingPlugins: ReadonlySet<string>;
  /** Why each node was rejected. */
  readonly statuses: NodeToStatus;
}

/** `rejections`: every different one. `limitedBy`: plugins that left nodes out before any was looked at. */
export function diagnosisOf(
  rejections: Iterable<Status>,
  limitedBy: readonly string[],
  statuses: NodeToStatus,
): Diagnosis {
  const unschedulablePlugins = new Set(limitedBy);
  const pendingPlugins = new Set<string>();
  for (const { plugin, code } of rejections) {
    if (plugin === '') continue;
    unschedulablePlugins.add(plugin);
    if (code === 'Pending') pendingPlugins.add(plugin);
  }
  return { unschedulablePlugins, pendingPlugins, statuses };
}

import type { NodeToStatus } from './post-filter.ts';
import type { Status } from './status.ts';

/** The plugins that rejected a pod for which no node is feasible (upstream's Diagnosis). */
export interface Diagnosis {
  readonly unschedulablePlugins: ReadonlySet<string>;
  /** The plugins among them that wait for an event. */
  readonly pendingPlugins: ReadonlySet<string>;
  /** The rejection of each node. */
  readonly statuses: NodeToStatus;
}

/** `rejections` are all distinct ones, `limitedBy` the plugins that excluded nodes in PreFilter. */
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

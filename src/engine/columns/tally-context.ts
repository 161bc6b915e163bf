import type { TallyContext } from '../../framework/post-filter.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import { canTally } from '../../framework/runtime/tallied-filters.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import type { TopologyPlan } from '../topology/topology-plan.ts';
import type { AttemptFilters } from './attempt-filters.ts';

/**
 * The filters of the signature for dry runs: those of its state, and then the plan's, unless it only scores. Null if
 * some filter cannot count pods, or comes after the plan. `attemptFilters` are null if none is asked in this attempt.
 */
export function tallyContext(
  framework: Framework,
  { state }: PodSignature,
  plan: TopologyPlan | null,
  attemptFilters: AttemptFilters | null,
): TallyContext | null {
  const filters = framework.activeFilters(state);
  if (!canTally(filters)) return null;
  const standing = attemptFilters?.standingFor(filters) ?? null;
  if (plan === null) return { state, filters, topology: null, standing };
  const after = framework.filterPlugins.slice(plan.firstPosition);
  if (after.some((plugin) => plugin.topology === undefined && filters.includes(plugin))) return null;
  const topology = plan.tallies();
  return { state, filters, topology: topology.isIdle ? null : topology, standing };
}

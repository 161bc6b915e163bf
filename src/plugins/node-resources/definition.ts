import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { NODE_RESOURCES_BALANCED_ALLOCATION, NodeResourcesBalancedAllocation } from './balanced-allocation.ts';
import { balancedAllocationArgs, type NodeResourcesBalancedAllocationArgs } from './balanced-allocation-args.ts';
import { NODE_RESOURCES_FIT, NodeResourcesFit, type NodeResourcesFitArgs } from './fit.ts';
import { type NodeResourcesFitArgs as FitConfiguration, nodeResourcesFitArgs } from './fit-args.ts';
import type { ScoringStrategy } from './scoring-strategy.ts';

export const nodeResourcesFit: PluginDefinition<FitConfiguration> = {
  name: NODE_RESOURCES_FIT,
  points: ['preFilter', 'filter', 'preScore', 'score', 'placementScore'],
  defaultWeight: 1,
  args: nodeResourcesFitArgs,
  make: (_cluster, args) => new NodeResourcesFit(args && fitArgs(args)),
};

export const nodeResourcesBalancedAllocation: PluginDefinition<NodeResourcesBalancedAllocationArgs> = {
  name: NODE_RESOURCES_BALANCED_ALLOCATION,
  points: ['preScore', 'score'],
  defaultWeight: 1,
  args: balancedAllocationArgs,
  make: (_cluster, args) => new NodeResourcesBalancedAllocation(args?.resources),
};

/** Arguments that were validated: the type says which of the members count. */
function fitArgs({ scoringStrategy, ...ignored }: FitConfiguration): NodeResourcesFitArgs {
  const { type, resources = [], requestedToCapacityRatio: ratio } = scoringStrategy ?? {};
  return { scoringStrategy: { type, resources, ...ratio } as ScoringStrategy, ...ignored };
}

import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { type NodeAffinityArgs, nodeAffinityArgs } from './args.ts';
import { NODE_AFFINITY, NodeAffinity } from './plugin.ts';

export const nodeAffinity: PluginDefinition<NodeAffinityArgs> = {
  name: NODE_AFFINITY,
  points: ['preFilter', 'filter', 'preScore', 'score'],
  defaultWeight: 2,
  args: nodeAffinityArgs,
  make: (_cluster, args) => new NodeAffinity(args),
};

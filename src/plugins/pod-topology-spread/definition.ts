import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { type PodTopologySpreadArgs, podTopologySpreadArgs } from './args.ts';
import { POD_TOPOLOGY_SPREAD, PodTopologySpread } from './plugin.ts';

export const podTopologySpread: PluginDefinition<PodTopologySpreadArgs> = {
  name: POD_TOPOLOGY_SPREAD,
  points: ['preFilter', 'filter', 'preScore', 'score'],
  defaultWeight: 2,
  args: podTopologySpreadArgs,
  make: (cluster, args) => new PodTopologySpread(cluster, args),
};

import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { type InterPodAffinityArgs, interPodAffinityArgs } from './args.ts';
import { INTER_POD_AFFINITY, InterPodAffinity } from './plugin.ts';

export const interPodAffinity: PluginDefinition<InterPodAffinityArgs> = {
  name: INTER_POD_AFFINITY,
  points: ['preFilter', 'filter', 'preScore', 'score'],
  defaultWeight: 2,
  args: interPodAffinityArgs,
  make: (cluster, args) => new InterPodAffinity(cluster, args),
};

import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { NODE_VOLUME_LIMITS, NodeVolumeLimits } from './plugin.ts';

export const nodeVolumeLimits: PluginDefinition = {
  name: NODE_VOLUME_LIMITS,
  points: ['preFilter', 'filter'],
  make: (cluster) => new NodeVolumeLimits(cluster),
};

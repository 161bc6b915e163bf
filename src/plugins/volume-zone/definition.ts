import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { VOLUME_ZONE, VolumeZone } from './plugin.ts';

export const volumeZone: PluginDefinition = {
  name: VOLUME_ZONE,
  points: ['preFilter', 'filter'],
  make: (cluster) => new VolumeZone(cluster),
};

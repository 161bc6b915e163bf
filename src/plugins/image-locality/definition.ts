import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { IMAGE_LOCALITY, ImageLocality } from './plugin.ts';

export const imageLocality: PluginDefinition = {
  name: IMAGE_LOCALITY,
  points: ['score'],
  defaultWeight: 1,
  make: (cluster) => new ImageLocality(cluster),
};

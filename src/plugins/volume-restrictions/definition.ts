import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { VOLUME_RESTRICTIONS, VolumeRestrictions } from './plugin.ts';

export const volumeRestrictions: PluginDefinition = {
  name: VOLUME_RESTRICTIONS,
  points: ['preFilter', 'filter'],
  make: () => new VolumeRestrictions(),
};

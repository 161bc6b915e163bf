import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { type VolumeBindingArgs, volumeBindingArgs } from './args.ts';
import { VOLUME_BINDING, VolumeBinding } from './plugin.ts';

export const volumeBinding: PluginDefinition<VolumeBindingArgs> = {
  name: VOLUME_BINDING,
  points: ['preFilter', 'filter', 'reserve', 'preBind', 'preScore', 'score'],
  args: volumeBindingArgs,
  make: (cluster, args, handle) => new VolumeBinding(cluster, args, handle),
};

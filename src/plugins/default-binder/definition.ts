import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { DEFAULT_BINDER } from '../../framework/plugin-names.ts';
import { DefaultBinder } from './plugin.ts';

export const defaultBinder: PluginDefinition = {
  name: DEFAULT_BINDER,
  points: ['bind'],
  make: (_cluster, _args, handle) => handle && new DefaultBinder(handle),
};

import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { type DynamicResourcesArgs, dynamicResourcesArgs } from './args.ts';
import { DYNAMIC_RESOURCES, DynamicResources } from './plugin.ts';

export const dynamicResources: PluginDefinition<DynamicResourcesArgs> = {
  name: DYNAMIC_RESOURCES,
  points: ['preEnqueue', 'preFilter', 'filter', 'postFilter', 'score', 'reserve', 'preBind'],
  defaultWeight: 2,
  args: dynamicResourcesArgs,
  make: () => new DynamicResources(),
};

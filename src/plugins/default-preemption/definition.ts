import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { DEFAULT_PREEMPTION } from '../../framework/plugin-names.ts';
import { type DefaultPreemptionArgs, defaultPreemptionArgs } from './args.ts';
import { AsynchronousPreemption } from './asynchronous.ts';
import { DefaultPreemption } from './plugin.ts';

export const defaultPreemption: PluginDefinition<DefaultPreemptionArgs> = {
  name: DEFAULT_PREEMPTION,
  points: ['preEnqueue', 'postFilter'],
  args: defaultPreemptionArgs,
  make: (cluster, args, handle) =>
    handle === undefined ? new DefaultPreemption(cluster, args) : new AsynchronousPreemption(handle, cluster, args),
};

import type { Profiles } from '../core/profiles.ts';
import type { Plugin } from '../framework/plugin.ts';
import { EXTENDER } from '../framework/plugin-names.ts';
import type { Framework } from '../framework/runtime/framework.ts';
import type { QueueProfile } from './queue/queue-modules.ts';

/** Nobody knows what an extender waits for: any event may help a pod that it rejected. */
const ANY_EXTENDER: Plugin = { name: EXTENDER };

/** What the queue needs of each profile, by scheduler name. */
export function queueProfiles(profiles: Profiles): ReadonlyMap<string, QueueProfile> {
  const queueProfiles = new Map<string, QueueProfile>();
  for (const [name, { framework, extenders }] of profiles.entries()) {
    const plugins = [...pluginsOf(framework), ...(extenders.length > 0 ? [ANY_EXTENDER] : [])];
    queueProfiles.set(name, { plugins, preEnqueuePlugins: framework.preEnqueuePlugins });
  }
  return queueProfiles;
}

/** Those that can reject a pod, each once. */
function pluginsOf(framework: Framework): Set<Plugin> {
  const { preEnqueuePlugins, preFilterPlugins, filterPlugins, postFilterPlugins, binding } = framework;
  return new Set<Plugin>([
    ...preEnqueuePlugins,
    ...preFilterPlugins,
    ...filterPlugins,
    ...postFilterPlugins,
    ...binding.reservePlugins,
    ...binding.permitPlugins,
  ]);
}

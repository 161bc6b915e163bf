import type { ClusterState } from '../../src/core/cache/cluster-state.ts';
import { defaultSchedulerConfiguration } from '../../src/core/config/default-scheduler-configuration.ts';
import { Framework } from '../../src/core/framework/framework.ts';
import { pluginsOf } from '../../src/core/plugins/registry.ts';

/** The default profile's plugins. */
export function defaultFramework(cluster: ClusterState): Framework {
  const [profile] = defaultSchedulerConfiguration().profiles;
  if (profile === undefined) throw new Error('the default configuration has one profile');
  return new Framework(pluginsOf(profile, cluster));
}

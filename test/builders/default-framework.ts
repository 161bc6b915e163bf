import { defaultSchedulerConfiguration } from '../../src/caller/load-configuration.ts';
import type { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import { Framework } from '../../src/framework/runtime/framework.ts';
import { pluginsOf } from '../../src/plugins/make-plugins.ts';

/** The default profile's plugins. */
export function defaultFramework(cluster: ClusterState): Framework {
  const [profile] = defaultSchedulerConfiguration().profiles;
  if (profile === undefined) throw new Error('the default configuration has one profile');
  return new Framework(pluginsOf(profile, cluster));
}

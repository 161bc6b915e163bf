import type { PluginFacts } from '../config/known-plugins.ts';
import type { Handle } from './handle.ts';
import type { Plugin, PodNominator, Snapshot } from './plugin.ts';

/** What plugins may read of the cluster. */
export type PluginCluster = Snapshot & PodNominator;

/**
 * The description of a plugin (one line each of upstream's plugins/registry.go and default_plugins.go).
 * `src/plugins/registry.ts` has one for every plugin.
 */
export interface PluginDefinition<Args extends object = object> extends PluginFacts<Args> {
  /**
   * Makes the plugin for one profile. `args` were read and validated by `PluginFacts.args`. `handle` is absent in a
   * scheduler that binds nothing. Returns undefined for a plugin that cannot work without the handle. A definition
   * without this method can be named by a profile, but takes no part in decisions.
   */
  make?(cluster: PluginCluster, args: Args | undefined, handle: Handle | undefined): Plugin | undefined;
}

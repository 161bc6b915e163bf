import type { PluginFacts } from '../config/known-plugins.ts';
import type { Handle } from './handle.ts';
import type { Plugin, PodNominator, Snapshot } from './plugin.ts';

/** The cluster as plugins see it. */
export type PluginCluster = Snapshot & PodNominator;

/**
 * Everything that is said of a plugin outside of its own methods (one line of upstream's plugins/registry.go and of
 * default_plugins.go). Every plugin folder has one, and `src/plugins/registry.ts` lists them.
 */
export interface PluginDefinition<Args extends object = object> extends PluginFacts<Args> {
  /**
   * Makes the plugin for one profile. `args`: what `PluginFacts.args` has read and validated. `handle`: what a plugin
   * may do beyond a decision; absent where nothing is bound. Returns undefined for a plugin that cannot do its work
   * without the handle. A definition without this method has a place in the lists of a profile, but no part in a
   * decision.
   */
  make?(cluster: PluginCluster, args: Args | undefined, handle: Handle | undefined): Plugin | undefined;
}

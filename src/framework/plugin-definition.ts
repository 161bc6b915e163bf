import { DEFAULT_FEATURE_GATES, type FeatureGate, type FeatureGates } from '../config/feature-gates.ts';
import type { PluginFacts } from '../config/known-plugins.ts';
import { type Clock, WallClock } from '../lib/clock.ts';
import type { Handle } from './handle.ts';
import type { Plugin, PodNominator, Snapshot } from './plugin.ts';

/** What plugins may read of the cluster. */
export type PluginCluster = Snapshot & PodNominator;

/** What plugins are given of the world around the cluster. */
export interface PluginEnvironment {
  readonly gates: FeatureGates;
  /** Counts since the Unix epoch. */
  readonly clock: Clock;
}

export const DEFAULT_ENVIRONMENT: PluginEnvironment = { gates: DEFAULT_FEATURE_GATES, clock: new WallClock() };

/**
 * The description of a plugin (one line each of upstream's plugins/registry.go and default_plugins.go).
 * `src/plugins/registry.ts` has one for every plugin.
 */
export interface PluginDefinition<Args extends object = object> extends PluginFacts<Args> {
  /** The gate that adds the plugin to every profile. */
  readonly gate?: FeatureGate;
  /**
   * Makes the plugin for one profile. `args` were read and validated by `PluginFacts.args`. `handle` is absent in a
   * scheduler that binds nothing. Returns undefined for a plugin that cannot work without the handle. A definition
   * without this method can be named by a profile, but takes no part in decisions.
   */
  make?(
    cluster: PluginCluster,
    args: Args | undefined,
    handle: Handle | undefined,
    environment: PluginEnvironment,
  ): Plugin | undefined;
}

import type { PluginArgs, PluginConfig, PluginWithArgs } from './args/plugin-args.ts';
import type { ClientConnection, LeaderElection } from './component-config.ts';
import type { ExtenderConfiguration } from './extenders.ts';
import type { ExtensionPoint } from './extension-points.ts';
import type { PluginSets } from './plugin-sets.ts';

/** A KubeSchedulerConfiguration that was accepted: defaults filled in, profiles built. */
export interface SchedulerConfiguration extends ComponentConfiguration {
  /** One for each scheduler name. */
  readonly profiles: readonly SchedulerProfile[];
}

/** Everything that does not belong to one profile. */
export interface ComponentConfiguration {
  /** Upstream's number of threads. */
  readonly parallelism: number;
  /** 1 to 100; 0 adapts to the size of the cluster. A profile's own value goes first. */
  readonly percentageOfNodesToScore: number;
  readonly podInitialBackoffSeconds: number;
  readonly podMaxBackoffSeconds: number;
  readonly extenders: readonly ExtenderConfiguration[];
  readonly delayCacheUntilActive: boolean;
  readonly enableProfiling: boolean;
  readonly enableContentionProfiling: boolean;
  readonly clientConnection: ClientConnection;
  readonly leaderElection: LeaderElection;
}

/** A profile before its plugins have been looked up. */
export interface ProfileConfiguration {
  readonly schedulerName: string;
  readonly percentageOfNodesToScore: number | undefined;
  readonly plugins: PluginSets;
  readonly pluginConfig: readonly PluginConfig[];
}

export interface SchedulerProfile {
  /** The pods that name it in `spec.schedulerName` are scheduled with this profile. */
  readonly schedulerName: string;
  /** As in the configuration itself; undefined: that value counts. */
  readonly percentageOfNodesToScore: number | undefined;
  /** Plugin names at each point, in calling order. */
  readonly plugins: Readonly<Record<ExtensionPoint, readonly string[]>>;
  /** What the normalised scores are multiplied with, by the name of the score plugin; may be negative. */
  readonly scoreWeights: ReadonlyMap<string, number>;
  readonly placementScoreWeights: ReadonlyMap<string, number>;
  /** Of the plugins in use. */
  readonly args: { readonly [P in PluginWithArgs]?: PluginArgs[P] };
  /** What was given for plugins in use of which nobody here reads the arguments. */
  readonly otherArgs: ReadonlyMap<string, unknown>;
  /** Plugins in use that the embedder brings, and the points at which each is named: there it must have a method. */
  readonly outOfTree: ReadonlyMap<string, readonly ExtensionPoint[]>;
}

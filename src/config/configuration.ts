import type { ClientConnection, LeaderElection } from './component-config.ts';
import type { PluginConfig } from './decode-configuration.ts';
import type { ExtenderConfiguration } from './extenders.ts';
import type { ExtensionPoint } from './extension-points.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { PluginSets } from './plugin-sets.ts';

/** An accepted KubeSchedulerConfiguration: defaults are filled in, and profiles are built. */
export interface SchedulerConfiguration extends ComponentConfiguration {
  /** The profiles, one for each scheduler name. */
  readonly profiles: readonly SchedulerProfile[];
}

/** The parts of a configuration besides its profiles, with defaults. Durations are in nanoseconds. */
export interface ComponentConfiguration {
  /** The number of threads upstream. */
  readonly parallelism: number;
  readonly leaderElection: LeaderElection;
  readonly clientConnection: ClientConnection;
  readonly enableProfiling: boolean;
  readonly enableContentionProfiling: boolean;
  /** 1 to 100, or 0 to adapt to the size of the cluster. A profile's own value takes precedence. */
  readonly percentageOfNodesToScore: number;
  readonly podInitialBackoffSeconds: number;
  readonly podMaxBackoffSeconds: number;
  readonly extenders: readonly ExtenderConfiguration[];
  readonly delayCacheUntilActive: boolean;
  /** The gates that the document sets, which are Berth's own addition: kube-scheduler has them as a flag alone. */
  readonly featureGates: Partial<FeatureGates>;
}

/** A profile before its plugins are looked up. */
export interface ProfileConfiguration {
  readonly schedulerName: string;
  readonly percentageOfNodesToScore: number | undefined;
  readonly plugins: PluginSets;
  readonly pluginConfig: readonly PluginConfig[];
}

/** A profile of a configuration: the plugins for the pods that name it. */
export interface SchedulerProfile {
  /** Pods that name it in `spec.schedulerName` are scheduled with this profile. */
  readonly schedulerName: string;
  /** The profile's own value; undefined: that of the configuration. */
  readonly percentageOfNodesToScore: number | undefined;
  /** The names of the plugins at each point, in calling order. */
  readonly plugins: Readonly<Record<ExtensionPoint, readonly string[]>>;
  /** The names that are taken out of each point, where gates add them neither; `*` is all. */
  readonly disabled: Readonly<Record<ExtensionPoint, readonly string[]>>;
  /** The factors of normalised scores, by score plugin; they may be negative. */
  readonly scoreWeights: ReadonlyMap<string, number>;
  readonly placementScoreWeights: ReadonlyMap<string, number>;
  /** The arguments of the plugins in use, by name: read, with defaults, and validated. */
  readonly args: Readonly<Record<string, object>>;
  /** The raw arguments of plugins in use whose arguments are read elsewhere. */
  readonly otherArgs: ReadonlyMap<string, unknown>;
  /** The out-of-tree plugins in use, and the points at which each is named, where it must have a method. */
  readonly outOfTree: ReadonlyMap<string, readonly ExtensionPoint[]>;
}

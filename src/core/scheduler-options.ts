import type { SchedulerConfiguration } from '../config/configuration.ts';
import type { FeatureGates } from '../config/feature-gates.ts';
import type { EngineLimits } from '../engine/columns/column-engine-options.ts';
import type { EngineName } from '../engine/cycle/engine.ts';
import type { ExtenderTransport } from '../framework/extender-transport.ts';
import type { TieBreak } from '../framework/tie-break.ts';
import type { Tracer } from '../framework/tracing/tracer.ts';
import type { PluginRegistry } from '../framework/user-plugin.ts';
import type { KernelModule } from '../kernels/given-kernels.ts';
import type { KernelHostFactory } from '../kernels/kernel-host.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';

/** The options of a scheduler; all of them have defaults. */
export interface SchedulerOptions {
  /** Default `simd`. Every engine makes the same decisions. */
  readonly engine?: EngineName;
  /** Which of several equally good nodes is chosen. Default `first`. */
  readonly tieBreak?: TieBreak | undefined;
  /**
   * The percentage of the nodes that the search must find feasible before it stops: 1 to 100; 0 adapts to the size of
   * the cluster, as kube-scheduler does by default. Default: the value of the configuration; without a configuration
   * 100.
   */
  readonly percentageOfNodesToScore?: number | undefined;
  /** For `tieBreak: 'random'`: the same seed gives the same run. Default 1. */
  readonly seed?: number;
  /**
   * Whether the totals of every pod signature are kept between decisions; `false` computes them for each pod. Default
   * true. The decisions are the same.
   */
  readonly index?: boolean;
  /**
   * The number of threads that share the work on one pod, including the caller's; `auto`: as many as the machine runs
   * at once. Default 1. The other threads start when the cluster is large enough, and are used where every node must be
   * visited, as long as that is faster. The decisions are the same.
   */
  readonly workers?: number | 'auto';
  /**
   * The limits of what is kept from pod to pod about shapes of pods. The decisions are the same; with too little room,
   * more is computed anew. Default: 16,000 objects and a GiB.
   */
  readonly limits?: Partial<EngineLimits>;
  /** Whether PostFilter looks for victims for a pod that fits nowhere. Default true. */
  readonly preemption?: boolean;
  /**
   * Whether nodes and pods are validated as an API server validates them. Default true; false suits objects that come
   * from an API server. Objects that decisions cannot use (a field of the wrong type, an invalid quantity) are always
   * refused.
   */
  readonly validate?: boolean;
  /**
   * Whether whoever calls has checked all objects, and handed them in without nulls, as the readers of manifests do:
   * then they are not looked at again. Default false. @internal
   */
  readonly trustsCaller?: boolean;
  /**
   * Whether objects that are handed in are frozen, for debugging: a caller that changes one afterwards gets a TypeError
   * where it does so, instead of decisions about an object that nobody knows. Default false.
   */
  readonly freeze?: boolean;
  /**
   * Profiles, plugins and their arguments, from `loadConfiguration`. A pod is scheduled by the profile that its
   * `spec.schedulerName` names. Default: the default profile, for every pod.
   */
  readonly configuration?: SchedulerConfiguration | undefined;
  /** Features that are switched on or off against the defaults of v1.36, by the names of their gates. */
  readonly featureGates?: Partial<FeatureGates> | undefined;
  /**
   * What time it is, in milliseconds since the Unix epoch: devices that take too long to get ready are given up.
   * Default: the time of the machine.
   */
  readonly clock?: Clock;
  /**
   * The factories of the embedder's plugins, by name. A profile uses those that its configuration enables; the
   * configuration must be loaded with the same `plugins`.
   */
  readonly plugins?: PluginRegistry;
  /**
   * Receives the phases of decisions: a `SpanRecorder`, or a tracer of your own. The decisions are the same. Default:
   * none, which costs nothing.
   */
  readonly tracer?: Tracer | null;
  /**
   * Receives the setup of the scheduler, unusual events, and, at level `debug`, the decisions of cycles: a
   * `LineLogger`, or a logger of your own. Default: none, which costs nothing.
   */
  readonly logger?: Logger | undefined;
  /**
   * Sends requests to the configuration's extenders: an `HttpExtenderTransport`, or a transport of your own. Default:
   * none; pods for which an extender must be called are then refused (NeedsExtender).
   */
  readonly extenderTransport?: ExtenderTransport;
  /**
   * The kernels of the engine, where they cannot be read as files: in browsers (`loadKernels` of `kube-berth/browser`)
   * and in bundles. Default: the files of this package. The bytes of kernels serve one engine only, `simd` or `scalar`.
   */
  readonly kernels?: KernelModule | undefined;
  /**
   * Makes the kernels and their memory, for tests that check every access. Default: the kernels as built.
   * @internal
   */
  readonly newKernelHost?: KernelHostFactory;
}

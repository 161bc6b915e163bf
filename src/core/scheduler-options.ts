import type { SchedulerConfiguration } from '../config/configuration.ts';
import type { EngineName } from '../engine/cycle/engine.ts';
import type { TieBreak } from '../framework/tie-break.ts';
import type { Tracer } from '../framework/tracing/tracer.ts';
import type { PluginRegistry } from '../framework/user-plugin.ts';
import type { KernelHostFactory } from '../kernels/kernel-host.ts';
import type { Logger } from '../lib/logger.ts';
import type { ExtenderTransport } from './extenders/transport.ts';

export interface SchedulerOptions {
  /** Default `simd`. Every engine makes the same decisions. */
  readonly engine?: EngineName;
  /** Which of several equally good nodes is taken. Default `first`. */
  readonly tieBreak?: TieBreak | undefined;
  /**
   * How many of the feasible nodes are looked for before the best of them is taken: 1 to 100, 0 adapts to the size of
   * the cluster as kube-scheduler does by default. Default: what the configuration says; without one 100, every node,
   * because it is affordable.
   */
  readonly percentageOfNodesToScore?: number | undefined;
  /** For `tieBreak: 'random'`: the same seed gives the same run. Default 1. */
  readonly seed?: number;
  /**
   * Whether the totals of every pod signature are kept from pod to pod; `false` computes them anew for each pod. Default
   * true. The decisions are the same.
   */
  readonly index?: boolean;
  /**
   * Threads that share the work on one pod, the caller's own included; `auto`: as many as the machine runs at once.
   * Default 1. The others start when a cluster is large enough, help where every node has to be looked at, and only
   * while that is faster. The decisions are the same.
   */
  readonly workers?: number | 'auto';
  /** Whether a pod that fits nowhere looks for pods to evict (PostFilter). Default true. */
  readonly preemption?: boolean;
  /**
   * Whether nodes and pods are checked as an API server checks them. Default true; false for objects that come from
   * one. What decisions cannot do with (a field of the wrong type, an amount that cannot be read) is refused always.
   */
  readonly validate?: boolean;
  /**
   * Profiles, plugins and their arguments, from `loadConfiguration`. A pod is scheduled by the profile that its
   * `spec.schedulerName` names. Default: the default profile, for every pod.
   */
  readonly configuration?: SchedulerConfiguration | undefined;
  /**
   * Plugins that do not come with the scheduler, by name: how each is made. They are part of a profile whose
   * configuration, loaded with the same `plugins`, enables them.
   */
  readonly plugins?: PluginRegistry;
  /**
   * Watches decisions phase by phase: a `SpanRecorder`, or one of your own. Decisions are the same with and without.
   * Default: none, which costs nothing.
   */
  readonly tracer?: Tracer | null;
  /**
   * Receives how the scheduler is set up, what goes another way than usual, and, at level `debug`, what cycles decide:
   * a `LineLogger`, or one of your own. Default: none, which costs nothing.
   */
  readonly logger?: Logger | undefined;
  /**
   * Carries requests to the configuration's extenders: an `HttpExtenderTransport`, or one of your own. Default: none;
   * pods for which an extender has to be called are refused then (NeedsExtender).
   */
  readonly extenderTransport?: ExtenderTransport;
  /**
   * Makes the kernels and their memory, for tests that watch every access. Default: the kernels as built.
   * @internal
   */
  readonly newKernelHost?: KernelHostFactory;
}

import type { CycleState } from '../../framework/cycle-state.ts';
import type { FilterPlugin, PodNominator } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { PluginsRunner } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';

/** A node on which evictions are tried out. Nobody else sees what happens to it. */
export interface NodeTrial {
  /** Takes a pod off the node; an Error status, or null. */
  remove(pod: PodInfo): Status | null;
  /** Puts a pod on the node again; an Error status, or null. */
  addBack(pod: PodInfo): Status | null;
  /** Whether `rejection` is null; faster where nobody asks for the reason. */
  fits(): boolean;
  /** The first rejection of the pod to schedule, in filter order, nominated pods counted; null: the node takes it. */
  rejection(): Status | null;
}

/** Who is asked in a trial, and about which pod. */
export interface TrialModules {
  readonly framework: PluginsRunner;
  readonly nominator: PodNominator;
  /** As PreFilter left it. */
  readonly state: CycleState;
  readonly filters: readonly FilterPlugin[];
  readonly pod: PodInfo;
}

import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin, PodNominator } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { PluginsRunner } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';

/** A node from which victims are removed, and to which they are added back, without changing the node itself. */
export interface DryRunNode {
  /** Removes a pod from the node; returns an Error status, or null. */
  remove(pod: PodInfo): Status | null;
  /** Adds a removed pod to the node again; returns an Error status, or null. */
  addBack(pod: PodInfo): Status | null;
  /** Whether `rejection` is null; faster where the reason is not needed. */
  fits(): boolean;
  /** The first rejection of the pod to schedule, in filter order and with nominated pods; null if the node fits. */
  rejection(): Status | null;
}

/** What a dry run of one pod reads. */
export interface DryRunContext {
  readonly framework: PluginsRunner;
  readonly nominator: PodNominator;
  /** The state after PreFilter. */
  readonly state: CycleState;
  readonly filters: readonly FilterPlugin[];
  /** The pod to schedule. */
  readonly pod: PodInfo;
}

/** A dry run on copies of the node and of the PreFilter state, which works with every plugin. */
export class ClonedNode implements DryRunNode {
  readonly #context: DryRunContext;
  readonly #node: NodeInfo;
  readonly #state: CycleState;

  constructor(context: DryRunContext, node: NodeInfo) {
    this.#context = context;
    this.#node = node.clone();
    this.#state = context.state.clone();
  }

  remove(victim: PodInfo): Status | null {
    this.#node.removePod(victim);
    return this.#context.framework.runRemovePod(this.#state, this.#context.pod, victim, this.#node);
  }

  addBack(spared: PodInfo): Status | null {
    this.#node.addPod(spared);
    return this.#context.framework.runAddPod(this.#state, this.#context.pod, spared, this.#node);
  }

  fits(): boolean {
    return this.rejection() === null;
  }

  rejection(): Status | null {
    const { framework, filters, pod, nominator } = this.#context;
    return framework.runFilterWithNominatedPods(filters, this.#state, pod, this.#node, nominator);
  }
}

import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Status } from '../../framework/status.ts';
import type { NodeTrial, TrialModules } from './node-trial.ts';

/** Works on copies of the node and of the PreFilter state: every plugin can be asked. */
export class ObjectTrial implements NodeTrial {
  readonly #modules: TrialModules;
  readonly #node: NodeInfo;
  readonly #state: CycleState;

  constructor(modules: TrialModules, node: NodeInfo) {
    this.#modules = modules;
    this.#node = node.clone();
    this.#state = modules.state.clone();
  }

  remove(victim: PodInfo): Status | null {
    this.#node.removePod(victim);
    return this.#modules.framework.runRemovePod(this.#state, this.#modules.pod, victim, this.#node);
  }

  addBack(spared: PodInfo): Status | null {
    this.#node.addPod(spared);
    return this.#modules.framework.runAddPod(this.#state, this.#modules.pod, spared, this.#node);
  }

  fits(): boolean {
    return this.rejection() === null;
  }

  rejection(): Status | null {
    const { framework, filters, pod, nominator } = this.#modules;
    return framework.runFilterWithNominatedPods(filters, this.#state, pod, this.#node, nominator);
  }
}

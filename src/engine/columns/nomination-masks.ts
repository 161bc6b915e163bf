import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import type { ColumnTable } from '../../memory/column-table.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import type { NodeMask } from '../index/node-mask.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import { areNominationsMany, MOST_NOMINATED } from '../index/void-nominations.ts';
import type { TopologyPlan } from '../topology/topology-plan.ts';
import { BROKEN_PLAN, type TopologyPlans } from '../topology/topology-plans.ts';
import type { NominatedNodes, NominatedVerdicts } from './nominated-nodes.ts';
import { RejectionMask } from './rejection-mask.ts';
import { tallyContext } from './tally-context.ts';

/** Where pods are nominated for more nodes than this, a cycle answers: the mask is written anew for each pod. */
const MOST_MASKED = 1024;
const NO_MASKS: readonly NodeMask[] = [];

export interface NominationMasksModules {
  readonly framework: Framework;
  readonly cluster: ClusterState;
  readonly memory: SharedMemory;
  readonly table: ColumnTable;
  readonly plans: TopologyPlans;
  readonly nominatedNodes: NominatedNodes;
}

/**
 * The nodes that nominated pods take from a pod, as a mask that a search of the signature index reads. The columns know
 * nothing of nominated pods: the filters are asked about the nodes where some are, with them and without them.
 */
export class NominationMasks {
  readonly #modules: NominationMasksModules;
  readonly #rejected: RejectionMask;

  constructor(modules: NominationMasksModules) {
    this.#modules = modules;
    this.#rejected = new RejectionMask(modules.memory, modules.table, 'rejections beside nominated pods');
  }

  /**
   * Null if a cycle has to decide. The signature must be up to date, and all pods on their nodes. Valid until the next
   * call.
   */
  of(signature: PodSignature, pod: PodInfo): readonly NodeMask[] | null {
    const plan = this.#modules.plans.planOf(pod);
    const verdicts = plan === BROKEN_PLAN ? undefined : this.verdictsOf(signature, pod, plan)?.verdicts;
    if (verdicts === undefined) return null;
    this.#rejected.clear();
    for (const slot of verdicts.slots) if (verdicts.at(slot) !== null) this.#rejected.reject(slot);
    const { mask } = this.#rejected;
    return mask === null ? NO_MASKS : [mask];
  }

  /** The verdicts on the nodes where pods are nominated; null if only a cycle can tell, which reports failures. */
  verdictsOf(signature: PodSignature, pod: PodInfo, plan: TopologyPlan | null): NominatedVerdicts | null {
    const { framework, cluster, nominatedNodes } = this.#modules;
    if (signature.attemptFilters.size > 0 || signature.preFilter.nodeNames !== null) return null;
    if (cluster.nominatedNodesOf(pod).length > 0) return null;
    const context = tallyContext(framework, signature, plan, null);
    if (context === null || areNominationsMany(cluster, context.topology ? MOST_NOMINATED : MOST_MASKED)) return null;
    const { verdicts: nodeVerdicts, state } = signature;
    const judgedPod = { verdicts: nodeVerdicts, isLimited: false, tallied: () => context, judged: () => state };
    framework.activeTrace.trace?.start('nominatedNodes');
    const nominated = nominatedNodes.judge(judgedPod, pod);
    framework.activeTrace.trace?.end();
    const { verdicts } = nominated;
    for (const slot of verdicts.slots) if (verdicts.at(slot)?.code === 'Error') return null;
    return nominated;
  }
}

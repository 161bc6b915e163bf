import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import type { Refusal, Refusals } from '../cycle/engine.ts';
import { type PodSignature, renewEntries, runPreFilter } from '../index/pod-signature.ts';
import type { SignatureIndex } from '../index/signature-index.ts';
import { BROKEN_PLAN, type TopologyPlans } from '../topology/topology-plans.ts';
import type { KeptSignatures } from './kept-signatures.ts';
import { canKeepStatuses } from './kept-statuses.ts';
import { NOTHING_NOMINATED } from './nominated-nodes.ts';
import type { PodSignatureStore } from './pod-signatures.ts';

export interface PlainRefusalsModules {
  readonly framework: Framework;
  readonly cluster: ClusterState;
  readonly columns: NodeColumns;
  readonly plans: TopologyPlans;
  readonly signatures: PodSignatureStore;
  readonly kept: KeptSignatures;
  readonly index: Pick<SignatureIndex, 'isOn'>;
  readonly needsMethods: (pod: PodInfo) => boolean;
  readonly dropStale: () => void;
}

/**
 * Answers to pods whom what is kept for their signature rejects on every node: verdicts and resources, whose reasons
 * follow the nodes that have changed since the last such pod. Topology rules and filters that are asked in every
 * attempt come last, so that they cannot matter then, and no cycle is needed.
 */
export class PlainRefusals implements Refusals {
  readonly #modules: PlainRefusalsModules;

  constructor(modules: PlainRefusalsModules) {
    this.#modules = modules;
  }

  /** The signature of a pod for which columns are kept; null for any other pod. */
  #signatureOf(pod: PodInfo): PodSignature | null {
    const { signatures, needsMethods } = this.#modules;
    const signature = needsMethods(pod) ? undefined : signatures.get(pod.requirements);
    return signature?.preScore ? signature : null;
  }

  likenessOf(pod: PodInfo): object | null {
    const signature = this.#signatureOf(pod);
    if (signature === null || signature.attemptFilters.size > 0) return null;
    const plan = this.#modules.plans.planOf(pod);
    return plan === BROKEN_PLAN ? null : (plan ?? signature);
  }

  of(pod: PodInfo): Refusal | null {
    const { framework, cluster, columns, plans, index, kept, dropStale } = this.#modules;
    if (!index.isOn || cluster.hasNominations || cluster.nodeCount === 0) return null;
    dropStale();
    const signature = this.#signatureOf(pod);
    // The first refusal is that of a cycle, which then begins to keep the reasons.
    if (signature === null || kept.rowsOf(signature).statuses === null) return null;
    const plan = plans.planOf(pod);
    if (plan === BROKEN_PLAN || !canKeepStatuses(framework, signature, plan)) return null;
    if (columns.isInexact || signature.isInexact || !this.#isRejected(signature)) return null;
    const isAsked = signature.attemptFilters.size > 0;
    const { state, preFilter } = isAsked ? runPreFilter(framework, cluster, pod) : signature;
    const { feasible, statuses } = kept.rowsOf(signature);
    if (statuses === null || preFilter.rejected !== null || preFilter.nodeNames !== null) return null;
    statuses.sync(feasible.values, cluster.slotCount, NOTHING_NOMINATED);
    return {
      message: statuses.text(),
      hasCandidates: statuses.has('Unschedulable'),
      tallied: null,
      state,
      podState: state,
      nodeStatuses: () => statuses.nodeStatuses(),
    };
  }

  /** Whether the columns accept no node; brings them up to date. */
  #isRejected(signature: PodSignature): boolean {
    const { cluster, columns, kept } = this.#modules;
    signature.verdicts.sync();
    // Columns do not hold scores that count anything elsewhere, and a plugin that failed ends the attempt.
    if (signature.verdicts.hasFailed || renewEntries(signature, columns.table.version)) return false;
    const rows = kept.rowsOf(signature);
    rows.sync(signature, cluster.slotCount);
    return rows.feasibleCount === 0;
  }
}

import type { PodSpec } from '../../api/pod.ts';
import { HOSTNAME_LABEL } from '../../api/topology-spread.ts';
import type { SpreadConstraint, SpreadViolation } from '../../framework/column-forms.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Kernels } from '../../kernels/abi.ts';
import { goLog } from '../../lib/go-log.ts';
import type { Column } from '../../memory/column-table.ts';
import type { DomainCounter, PodCounter } from '../../memory/domain-counter.ts';
import { NO_DOMAIN, type TopologyDomains } from '../../memory/topology-domains.ts';
import { countsPod, hasAllTopologyKeys, NodeInclusion } from '../../plugins/pod-topology-spread/constraints.ts';
import { marksOf } from './marked.ts';
import type { NodeCondition } from './node-condition.ts';
import { CountedConstraint } from './spread-tally.ts';
import type { TopologyCounters } from './topology-index.ts';
import {
  type DomainRule,
  filterDomains,
  INT32_MAX,
  INT32_MIN,
  type Keyless,
  type SpreadScore,
} from './topology-rules.ts';
import type { TopologyScratch } from './topology-scratch.ts';

interface HardConstraint {
  readonly constraint: SpreadConstraint;
  readonly selfMatch: number;
  readonly counter: DomainCounter;
  /** The most counted pods that a domain may have for the pod to fit; set by `filter`. */
  most: number;
}

interface SoftConstraint {
  readonly constraint: SpreadConstraint;
  readonly domains: TopologyDomains;
  /** null for hostnames, where pods are counted node by node. */
  readonly counter: DomainCounter | null;
  readonly pods: PodCounter;
}

/** The spread constraints of a pod signature as counters, which keep what `HardSpread` and `SoftSpread` count anew. */
export class SpreadPlan {
  readonly #index: TopologyCounters;
  readonly #pod: PodInfo;
  readonly #hard: readonly HardConstraint[];
  readonly #soft: readonly SoftConstraint[];
  readonly #requireAllKeys: boolean;

  constructor(
    index: TopologyCounters,
    pod: PodInfo,
    hard: readonly SpreadConstraint[],
    soft: readonly SpreadConstraint[],
    requireAllKeys: boolean,
  ) {
    this.#index = index;
    this.#pod = pod;
    this.#requireAllKeys = requireAllKeys;
    const inclusion = new NodeInclusion(pod.pod);
    const multiplicityOf = (constraint: SpreadConstraint) => (other: PodInfo) =>
      countsPod(constraint.selector, pod.namespace, other) ? 1 : 0;
    const counterOf = (constraint: SpreadConstraint, keys: readonly SpreadConstraint[]): DomainCounter =>
      index.domainCounter(
        counterKey(pod, constraint),
        multiplicityOf(constraint),
        constraint.topologyKey,
        nodeCondition(pod.pod.spec, inclusion, constraint, keys),
        marksOf(constraint.selector),
      );
    this.#hard = hard.map((constraint) => ({
      constraint,
      selfMatch: constraint.selector.matches(pod.pod.metadata?.labels) ? 1 : 0,
      counter: counterOf(constraint, hard),
      most: INT32_MAX,
    }));
    this.#soft = soft.map((constraint) => ({
      constraint,
      domains: index.domains(constraint.topologyKey),
      counter: constraint.topologyKey === HOSTNAME_LABEL ? null : counterOf(constraint, requireAllKeys ? soft : []),
      pods: index.podCounter(counterKey(pod, constraint), multiplicityOf(constraint), marksOf(constraint.selector)),
    }));
  }

  get filters(): boolean {
    return this.#hard.length > 0;
  }

  /** Counts the domains for tallies; they are valid until something changes. */
  counted(): { readonly pod: PodInfo; readonly constraints: readonly CountedConstraint[] } {
    const constraints = this.#hard.map(
      ({ constraint, selfMatch, counter }) => new CountedConstraint(constraint, selfMatch, counter),
    );
    return { pod: this.#pod, constraints };
  }

  /** `onRejected`: called after each step in which nodes were rejected for one violation alone. */
  filter(
    kernels: Kernels,
    feasible: Column<'i32'>,
    slots: number,
    onRejected: ((violation: SpreadViolation) => void) | null = null,
  ): void {
    for (const hard of this.#hard) {
      hard.most = this.#limit(kernels, hard);
      const bounds = { least: INT32_MIN, most: hard.most, absentFits: false };
      if (onRejected !== null) {
        filterDomains(kernels, hard.counter, { ...bounds, most: INT32_MAX }, feasible, slots);
        onRejected('missingLabel');
      }
      filterDomains(kernels, hard.counter, bounds, feasible, slots);
      onRejected?.('skew');
    }
  }

  /**
   * Whether some nodes have the label with an empty value and others lack it. Upstream takes both for one domain, but
   * scores only the former by it, which no counter can express.
   */
  isAmbiguous(nodeCount: number): boolean {
    if (this.#requireAllKeys) return false;
    return this.#soft.some(
      ({ domains, counter }) => counter !== null && domains.placedNodes < nodeCount && domains.has(''),
    );
  }

  rules(kernels: Kernels): DomainRule[] {
    return this.#hard.map((hard) => ({
      count: hard.counter.count,
      absentFits: false,
      isExclusion: false,
      bound: {
        kind: 'spread',
        counter: hard.counter,
        slack: hard.constraint.maxSkew - hard.selfMatch,
        minDomains: hard.constraint.minDomains,
      },
      least: () => INT32_MIN,
      most: () => this.#limit(kernels, hard),
    }));
  }

  get keyless(): Keyless {
    if (!this.#soft.some(({ domains }) => domains.placedNodes < this.#index.nodeCount)) return 'none';
    return this.#requireAllKeys ? 'ignored' : 'scored';
  }

  scores(): SpreadScore[] {
    return this.#soft.map(({ constraint, domains, counter, pods }) => ({
      count: counter === null ? pods.countByNode(domains) : counter.count,
      maxSkew: constraint.maxSkew,
    }));
  }

  /** After `filter`: returns the violation of the first constraint that rejects the node; null if none does. */
  violation(slot: number): SpreadViolation | null {
    for (const { counter, most } of this.#hard) {
      const domain = counter.domains.domainOf(slot);
      if (domain === NO_DOMAIN) return 'missingLabel';
      if (counter.counts.get(domain) > most) return 'skew';
    }
    return null;
  }

  /** Fills the scratch columns; returns false, for a skipped plugin, if there is no soft constraint. */
  score(kernels: Kernels, scratch: TopologyScratch, feasible: Column<'i32'>, slots: number): boolean {
    if (this.#soft.length === 0) return false;
    const { raw, normalized, rangePointer } = scratch;
    const scored = this.#scoredNodes(kernels, scratch, feasible, slots);
    const scoredCount = kernels.countFeasible(scored.pointer, 0, slots);
    kernels.fillDoubles(raw.pointer, 0, 0, slots);
    for (const soft of this.#soft) {
      const { constraint, domains, counter, pods } = soft;
      const size = counter === null ? scoredCount : this.#countDomains(kernels, soft, scratch, slots);
      counter?.counts.reserve(domains.count);
      kernels.addDomainScores(
        counter === null ? this.#index.hostSlots().pointer : domains.column.pointer,
        counter === null ? pods.perNode.pointer : counter.counts.pointer,
        goLog(size + 2),
        constraint.maxSkew - 1,
        raw.pointer,
        0,
        slots,
      );
    }
    kernels.roundScores(raw.pointer, 0, slots);
    kernels.scoredRange(raw.pointer, scored.pointer, rangePointer, 0, slots);
    const [least, most] = scratch.range();
    kernels.normalizeSpread(raw.pointer, scored.pointer, least, most, normalized.pointer, 0, slots);
    return true;
  }

  #limit(kernels: Kernels, { constraint, selfMatch, counter }: HardConstraint): number {
    const { domains, counts, members } = counter;
    counts.reserve(domains.count);
    members.reserve(domains.count);
    const least =
      counter.memberDomains < constraint.minDomains
        ? 0
        : kernels.leastDomainCount(counts.pointer, members.pointer, domains.count);
    return Math.min(INT32_MAX, constraint.maxSkew - selfMatch + least);
  }

  /** The feasible nodes without those that lack a topology key, if all keys are required. */
  #scoredNodes(kernels: Kernels, scratch: TopologyScratch, feasible: Column<'i32'>, slots: number): Column<'i32'> {
    const nodeCount = this.#index.nodeCount;
    const incomplete = this.#soft.filter(({ domains }) => domains.placedNodes < nodeCount);
    scratch.scored = feasible;
    if (!this.#requireAllKeys || incomplete.length === 0) return feasible;
    const { mask } = scratch;
    scratch.scored = mask;
    mask.values.set(feasible.values.subarray(0, slots));
    for (const { domains, pods } of incomplete) {
      // The bounds accept every count, so that any column of counts will do.
      kernels.filterDomains(
        domains.column.pointer,
        pods.perNode.pointer,
        INT32_MIN,
        INT32_MAX,
        0,
        mask.pointer,
        0,
        slots,
      );
    }
    return mask;
  }

  #countDomains(kernels: Kernels, { domains }: SoftConstraint, scratch: TopologyScratch, slots: number): number {
    scratch.marks.reserve(domains.count);
    return kernels.countDomains(
      domains.column.pointer,
      scratch.scored.pointer,
      scratch.marks.pointer,
      scratch.nextStamp(),
      this.#requireAllKeys ? 0 : 1,
      0,
      slots,
    );
  }
}

function counterKey({ namespace }: PodInfo, { selectorKey }: SpreadConstraint): string {
  return `spread ${namespace} ${selectorKey}`;
}

function nodeCondition(
  spec: PodSpec | undefined,
  inclusion: NodeInclusion,
  constraint: SpreadConstraint,
  keys: readonly SpreadConstraint[],
): NodeCondition {
  const { honorsNodeAffinity, honorsNodeTaints } = constraint;
  const key = [
    keys.map(({ topologyKey }) => topologyKey).join(),
    honorsNodeAffinity ? JSON.stringify([spec?.nodeSelector, spec?.affinity?.nodeAffinity]) : '',
    honorsNodeTaints ? JSON.stringify(spec?.tolerations ?? []) : '',
  ].join('\n');
  return {
    key,
    topologyKeys: keys.map(({ topologyKey }) => topologyKey),
    looksAt: inclusion.looksAt(constraint),
    includes: (node) => hasAllTopologyKeys(node, keys) && inclusion.includes(constraint, node),
  };
}

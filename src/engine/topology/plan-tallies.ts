import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { TopologyTallies, TopologyTally } from '../../framework/post-filter.ts';
import { SlotAnswers } from '../../framework/slot-answers.ts';
import type { Status } from '../../framework/status.ts';
import type { DomainCounter } from '../../memory/domain-counter.ts';
import type { AffinityPlan } from './affinity-plan.ts';
import { AffinityTally, areActive, type CountedTerms, stampTerms, standingViolation } from './affinity-tally.ts';
import type { PlannedPlugins } from './planned-plugins.ts';
import type { SpreadPlan } from './spread-plan.ts';
import { type CountedConstraint, SpreadTally } from './spread-tally.ts';

const AFFINITY_ANSWERS = { affinity: 2, antiAffinity: 3, existingAntiAffinity: 4 } as const;

type MakeTally = (node: NodeInfo, expected: readonly PodInfo[]) => TopologyTally;

/** The tallies of a plan for one attempt, which read its counters instead of counting all pods. */
export class PlanTallies implements TopologyTallies {
  readonly plan: object;
  readonly #constraints: readonly CountedConstraint[];
  readonly #terms: CountedTerms | null;
  /** Whether some term can reject a node. */
  readonly #areActive: boolean;
  readonly #makers: readonly MakeTally[];
  #standing: SlotAnswers<number> | null = null;

  constructor(
    plan: object,
    spread: SpreadPlan | null,
    affinity: AffinityPlan | null,
    { spread: spreading, affinity: attracting }: PlannedPlugins,
  ) {
    this.plan = plan;
    const makers: { readonly position: number; readonly make: MakeTally }[] = [];
    const spreadCounts = spreading !== undefined && spreading.position >= 0 ? (spread?.counted() ?? null) : null;
    this.#constraints = spreadCounts?.constraints ?? [];
    if (spreadCounts !== null && spreadCounts.constraints.length > 0 && spreading !== undefined) {
      const { pod, constraints } = spreadCounts;
      const { rejections } = spreading.form;
      const make: MakeTally = ({ slot }, expected) => {
        const tally = new SpreadTally(pod, constraints, slot, expected);
        // More pods on the node never lower its skew, so that the expected ones can always be there.
        return planned(tally, () => rejectionOf(tally.violation(), rejections), null);
      };
      makers.push({ position: spreading.position, make });
    }
    this.#terms = attracting !== undefined && attracting.position >= 0 ? (affinity?.counted() ?? null) : null;
    this.#areActive = this.#terms !== null && areActive(this.#terms);
    if (this.#terms !== null && this.#areActive && attracting !== undefined) {
      const terms = this.#terms;
      const { rejections } = attracting.form;
      const make: MakeTally = (node, expected) => {
        const tally = new AffinityTally(terms, node, expected);
        const rejection = (withExpected: boolean) => rejectionOf(tally.violation(withExpected), rejections);
        return planned(tally, () => rejection(true), expected.length === 0 ? null : () => rejection(false));
      };
      makers.push({ position: attracting.position, make });
    }
    this.#makers = makers.sort((a, b) => a.position - b.position).map(({ make }) => make);
  }

  /** Whether no pod on any node, nor an expected one, can make the plan reject a node. */
  get isIdle(): boolean {
    return this.#makers.length === 0;
  }

  get standing(): SlotAnswers<number> {
    if (this.#standing === null) {
      const { affinity = [], antiAffinity = [], existingAntiAffinity = [] } = (this.#areActive && this.#terms) || {};
      const counters = [this.#constraints, affinity, antiAffinity, existingAntiAffinity].flat();
      // Many nodes are asked about, one by one, so that pods by node are read from a column.
      for (const { counter } of counters) if (counter.count.isByNode) void counter.count.pods.perNode;
      this.#standing = new SlotAnswers((slot) => this.#standingAt(slot), likeness(counters));
    }
    return this.#standing;
  }

  #standingAt(slot: number): number {
    let answer = 0;
    for (const constraint of this.#constraints) {
      const violation = constraint.violation(slot, 0);
      if (violation === null) continue;
      answer = violation === 'skew' ? 1 : 2;
      break;
    }
    if (this.#terms === null || !this.#areActive) return answer;
    const violation = standingViolation(this.#terms, slot);
    return answer + 3 * (violation === null ? 1 : AFFINITY_ANSWERS[violation]);
  }

  stamp({ slot }: NodeInfo, out: number[]): void {
    for (const constraint of this.#constraints) constraint.stamp(slot, out);
    if (this.#terms !== null) stampTerms(this.#terms, slot, out);
  }

  of(node: NodeInfo, expected: readonly PodInfo[]): readonly TopologyTally[] {
    return this.#makers.map((make) => make(node, expected));
  }
}

/** The domains of the only rule, unless nearly every node has one of its own; null if there is none, or several. */
function likeness(counters: readonly { readonly counter: DomainCounter }[]): Int32Array | null {
  const { domains } = counters.length === 1 ? (counters[0]?.counter ?? {}) : {};
  return domains !== undefined && domains.count <= domains.placedNodes / 2 ? domains.column.values : null;
}

function rejectionOf<V extends string>(violation: V | null, statuses: Readonly<Record<V, Status>>): Status | null {
  return violation === null ? null : statuses[violation];
}

function planned(
  tally: { readonly isMoved: boolean; move(pod: PodInfo, delta: number): void },
  rejection: () => Status | null,
  rejectionAlone: (() => Status | null) | null,
): TopologyTally {
  return {
    get isMoved() {
      return tally.isMoved;
    },
    add: (pod) => tally.move(pod, 1),
    remove: (pod) => tally.move(pod, -1),
    fits: () => rejection() === null && (rejectionAlone === null || rejectionAlone() === null),
    rejection,
    ...(rejectionAlone !== null && { rejectionAlone }),
  };
}

import type { Node } from '../../api/node.ts';
import { topologyValue } from '../../api/topology-spread.ts';
import type { SpreadConstraint, SpreadViolation } from '../../framework/column-forms.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { countMatchingPods, hasAllTopologyKeys, NodeInclusion } from './constraints.ts';
import { DomainCounts } from './domain-counts.ts';

interface CountedConstraint {
  readonly constraint: SpreadConstraint;
  /** 1 if the constraint counts the pod itself, else 0. */
  readonly selfMatch: number;
  readonly counts: DomainCounts;
}

/** The counts of a pod's hard constraints (upstream's filtering.go). */
export class HardSpread {
  readonly #inclusion: NodeInclusion;
  readonly #constraints: readonly SpreadConstraint[];
  readonly #counted: readonly CountedConstraint[];

  private constructor(inclusion: NodeInclusion, counted: readonly CountedConstraint[]) {
    this.#inclusion = inclusion;
    this.#counted = counted;
    this.#constraints = counted.map(({ constraint }) => constraint);
  }

  /**
   * Counts the pods of all nodes. The domains are those of the nodes that have every key and that the constraint's
   * policies include.
   */
  static count(pod: PodInfo, constraints: readonly SpreadConstraint[], nodes: readonly NodeInfo[]): HardSpread {
    const spread = new HardSpread(
      new NodeInclusion(pod.pod),
      constraints.map((constraint) => ({
        constraint,
        selfMatch: constraint.selector.matches(pod.pod.metadata?.labels) ? 1 : 0,
        counts: new DomainCounts(),
      })),
    );
    for (const node of nodes) {
      spread.#eachDomain(node.node, ({ constraint, counts }, domain) => {
        counts.add(domain, countMatchingPods(node, constraint.selector, pod.namespace));
      });
    }
    return spread;
  }

  /**
   * `delta` is 1 if `other` is added to the node, and -1 if it is removed. As upstream, terminating pods count here,
   * and so do those of a selector that selects everything.
   */
  update(pod: PodInfo, other: PodInfo, node: NodeInfo, delta: number): void {
    if (other.namespace !== pod.namespace) return;
    this.#eachDomain(node.node, ({ constraint, counts }, domain) => {
      if (constraint.selector.matches(other.pod.metadata?.labels)) counts.add(domain, delta);
    });
  }

  violation(node: Node): SpreadViolation | null {
    for (const { constraint, selfMatch, counts } of this.#counted) {
      const domain = topologyValue(node, constraint.topologyKey);
      if (domain === undefined) return 'missingLabel';
      const lowest = counts.size < constraint.minDomains ? 0 : counts.lowest();
      if (counts.get(domain) + selfMatch - lowest > constraint.maxSkew) return 'skew';
    }
    return null;
  }

  clone(): HardSpread {
    return new HardSpread(
      this.#inclusion,
      this.#counted.map((counted) => ({ ...counted, counts: counted.counts.clone() })),
    );
  }

  #eachDomain(node: Node, visit: (counted: CountedConstraint, domain: string) => void): void {
    if (!hasAllTopologyKeys(node, this.#constraints)) return;
    for (const counted of this.#counted) {
      if (!this.#inclusion.includes(counted.constraint, node)) continue;
      visit(counted, topologyValue(node, counted.constraint.topologyKey) ?? '');
    }
  }
}

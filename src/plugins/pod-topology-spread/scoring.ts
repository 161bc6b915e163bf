import { HOSTNAME_LABEL, topologyValue } from '../../api/topology-spread.ts';
import type { SpreadConstraint } from '../../framework/column-forms.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { MAX_NODE_SCORE } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { goLog } from '../../lib/go-log.ts';
import { countMatchingPods, hasAllTopologyKeys, NodeInclusion } from './constraints.ts';

interface WeightedConstraint {
  readonly constraint: SpreadConstraint;
  /** The weight of a pod, ln(domains + 2), which grows with the number of domains, where each has fewer pods. */
  readonly weight: number;
  /** The matching pods in each domain with a feasible node; null for hostnames, which are counted node by node. */
  readonly counts: ReadonlyMap<string, number> | null;
}

/** The scores of feasible nodes by a pod's soft constraints (upstream's scoring.go). */
export class SoftSpread {
  readonly #namespace: string;
  readonly #constraints: readonly WeightedConstraint[];
  /** The feasible nodes that lack a topology key, and are not scored. */
  readonly #ignored: ReadonlySet<NodeInfo>;

  /**
   * `requireAllKeys` is false for the system's default constraints, which score nodes without a zone by hostname alone.
   */
  constructor(
    pod: PodInfo,
    constraints: readonly SpreadConstraint[],
    feasible: readonly NodeInfo[],
    all: readonly NodeInfo[],
    requireAllKeys: boolean,
  ) {
    this.#namespace = pod.namespace;
    const hasKeys = ({ node }: NodeInfo) => !requireAllKeys || hasAllTopologyKeys(node, constraints);
    const scored = feasible.filter(hasKeys);
    const counting = all.filter(hasKeys);
    this.#ignored = new Set(feasible.filter((node) => !hasKeys(node)));
    const inclusion = new NodeInclusion(pod.pod);
    this.#constraints = constraints.map((constraint) => {
      if (constraint.topologyKey === HOSTNAME_LABEL)
        return { constraint, weight: goLog(scored.length + 2), counts: null };
      const counts = countDomains(constraint, scored, counting, inclusion, pod.namespace);
      return { constraint, weight: goLog(counts.size + 2), counts };
    });
  }

  /** The raw score, which grows with the number of matching pods. */
  score(node: NodeInfo): number {
    if (this.#ignored.has(node)) return 0;
    let score = 0;
    for (const { constraint, weight, counts } of this.#constraints) {
      const domain = topologyValue(node.node, constraint.topologyKey);
      if (domain === undefined) continue;
      const count =
        counts === null ? countMatchingPods(node, constraint.selector, this.#namespace) : (counts.get(domain) ?? 0);
      // With a larger maxSkew, a difference in pods has less weight.
      score += count * weight + (constraint.maxSkew - 1);
    }
    // The score is never negative, so that this rounds as Go's math.Round.
    return Math.round(score);
  }

  /** Reverses and scales the scores: the node with the fewest pods gets the most. */
  normalize(nodes: readonly NodeInfo[], raw: readonly number[]): number[] {
    let min = Number.POSITIVE_INFINITY;
    let max = 0;
    nodes.forEach((node, i) => {
      if (this.#ignored.has(node)) return;
      min = Math.min(min, raw[i] ?? 0);
      max = Math.max(max, raw[i] ?? 0);
    });
    return nodes.map((node, i) => {
      const score = raw[i] ?? 0;
      if (this.#ignored.has(node)) return 0;
      return max === 0 ? MAX_NODE_SCORE : Math.trunc((MAX_NODE_SCORE * (max + min - score)) / max);
    });
  }
}

/** The matching pods in each domain with a scored node. A node without the label is in the domain ''. */
function countDomains(
  constraint: SpreadConstraint,
  scored: readonly NodeInfo[],
  counting: readonly NodeInfo[],
  inclusion: NodeInclusion,
  namespace: string,
): Map<string, number> {
  const { topologyKey, selector } = constraint;
  const counts = new Map<string, number>();
  for (const { node } of scored) counts.set(topologyValue(node, topologyKey) ?? '', 0);
  for (const node of counting) {
    const domain = topologyValue(node.node, topologyKey) ?? '';
    const count = counts.get(domain);
    if (count === undefined || !inclusion.includes(constraint, node.node)) continue;
    counts.set(domain, count + countMatchingPods(node, selector, namespace));
  }
  return counts;
}

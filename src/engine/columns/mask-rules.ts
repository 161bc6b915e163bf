import { newIdentity } from '../../lib/identity.ts';
import { memoized } from '../../lib/memoized.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';
import { DomainCount, PodCounter, type PodsBySlot } from '../../memory/domain-counter.ts';
import { NO_DOMAIN, type NodeDomains } from '../../memory/topology-domains.ts';
import type { NodeMask } from '../index/node-mask.ts';
import { type DomainRule, INT32_MAX, type TopologyRules } from '../topology/topology-rules.ts';
import type { NodeLooks } from '../verdicts/node-looks.ts';

/** Nodes are sorted by no more combinations of looks. */
const MOST_BUCKETS = 16;

/** The accepted looks of nodes. */
export interface LooksMask {
  readonly looks: NodeLooks;
  readonly mask: NodeMask;
}

/** The looks as domains, which are in use and shared whatever nodes there are. */
class LookDomains implements NodeDomains {
  readonly id = newIdentity();
  readonly #looks: NodeLooks;

  constructor(looks: NodeLooks) {
    this.#looks = looks;
  }

  get column(): Column<'i32'> {
    return this.#looks.column;
  }

  get count(): number {
    return this.#looks.count;
  }

  get placedNodes(): number {
    return this.#looks.count;
  }

  get sharedDomains(): number {
    return this.#looks.count;
  }

  domainOf(slot: number): number {
    return this.column.values[slot] ?? NO_DOMAIN;
  }
}

const domainsOf = memoized((looks: NodeLooks) => new LookDomains(looks));

/** No pods, since masks do not count any. */
const NO_PODS: PodsBySlot = { on: () => 0, forEach: () => {} };

/**
 * Masks as rules about other pods, so that nodes can be sorted by them: each look is a domain, with one pod if it is
 * accepted. Null without masks, and if there would be too many kinds of nodes.
 */
export function rulesOfMasks(masks: readonly LooksMask[], table: ColumnTable): TopologyRules | null {
  if (masks.length === 0) return null;
  let buckets = 1;
  for (const { looks } of masks) buckets *= looks.count;
  if (buckets > MOST_BUCKETS) return null;
  return { rules: masks.map((mask) => ruleOf(mask, table)), spread: [], keyless: 'none', affinity: [], kept: null };
}

function ruleOf({ looks, mask }: LooksMask, table: ColumnTable): DomainRule {
  const sums = { counts: mask.accepted, isByNode: false };
  return {
    count: new DomainCount(domainsOf(looks), new PodCounter(table, NO_PODS), sums),
    absentFits: false,
    isExclusion: false,
    bound: { kind: 'fixed' },
    least: () => 1,
    most: () => INT32_MAX,
  };
}

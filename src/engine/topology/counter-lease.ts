import type { PodInfo } from '../../framework/pod-info.ts';
import type { Column } from '../../memory/column-table.ts';
import type { DomainCounter, PodCounter } from '../../memory/domain-counter.ts';
import type { TopologyDomains } from '../../memory/topology-domains.ts';
import type { NodeCondition } from './node-condition.ts';
import type { OwnedTerms } from './owned-terms.ts';
import type { TopologyCounters, TopologyIndex } from './topology-index.ts';

/** The counters that one plan uses: they are kept until all plans that use them are given up. */
export class CounterLease implements TopologyCounters {
  readonly #index: TopologyIndex;
  readonly #keys = new Set<string>();
  readonly #topologyKeys = new Set<string>();

  constructor(index: TopologyIndex) {
    this.#index = index;
  }

  get ownedTerms(): OwnedTerms {
    return this.#index.ownedTerms;
  }

  get nodeCount(): number {
    return this.#index.nodeCount;
  }

  domains(key: string): TopologyDomains {
    if (!this.#topologyKeys.has(key)) {
      this.#topologyKeys.add(key);
      this.#index.holdDomains(key);
    }
    return this.#index.domains(key);
  }

  hostSlots(): Column<'i32'> {
    return this.#index.hostSlots();
  }

  podCounter(key: string, multiplicity: (pod: PodInfo) => number, marks: readonly string[] | null): PodCounter {
    const counter = this.#index.podCounter(key, multiplicity, marks);
    this.#hold(key);
    return counter;
  }

  domainCounter(
    key: string,
    multiplicity: (pod: PodInfo) => number,
    topologyKey: string,
    condition: NodeCondition,
    marks: readonly string[] | null,
  ): DomainCounter {
    const counter = this.#index.domainCounter(key, multiplicity, topologyKey, condition, marks);
    this.#hold(key);
    return counter;
  }

  /** Gives up the counters; the plan must not be used afterwards. */
  release(): void {
    for (const key of this.#keys) this.#index.release(key);
    for (const key of this.#topologyKeys) this.#index.releaseDomains(key);
    this.#keys.clear();
    this.#topologyKeys.clear();
  }

  #hold(key: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#index.hold(key);
  }
}

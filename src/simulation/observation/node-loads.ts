import { type Node, readyStatus } from '../../api/node.ts';
import { allocatable } from '../../api/resources.ts';
import { type AmountsByName, amountsOf } from '../statistics/usage-meter.ts';

const ZONE_KEYS = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone', 'zone'] as const;
const PODS = 'pods';
/** Resources beyond these are not shown. */
const METRICS_MAX = 8;

/** What all nodes offer, and what their pods request, resource by resource; cpu in thousandths. */
export class NodeLoads {
  readonly names: string[] = [];
  readonly zones: string[] = [];
  /** The index of each node's zone in `zones`. */
  readonly zoneOf: number[] = [];
  readonly metrics: string[] = [];
  /** By metric, for each node. */
  readonly offered: number[][] = [];
  readonly requested: number[][] = [];
  readonly podCounts: number[] = [];
  readonly lost = new Set<number>();
  readonly #indexes = new Map<string, number>();
  readonly #zoneIndexes = new Map<string, number>();

  setNode(node: Node): void {
    const { name = '', labels = {} } = node.metadata ?? {};
    const index = this.#indexOf(name);
    const zone = ZONE_KEYS.map((key) => labels[key]).find((value) => value !== undefined) ?? '';
    this.zoneOf[index] = this.#zoneIndex(zone);
    const amounts = allocatable(node.status?.allocatable);
    for (const values of this.offered) values[index] = 0;
    const pods = amounts.podCount;
    for (const [metric, amount] of [...amountsOf(amounts.resources), [PODS, pods] as const]) {
      const m = this.#metricIndex(metric);
      if (m >= 0) (this.offered[m] as number[])[index] = amount;
    }
    if ((readyStatus(node) ?? 'True') === 'True') this.lost.delete(index);
    else this.lost.add(index);
  }

  deleteNode(name: string): void {
    this.lost.add(this.#indexOf(name));
  }

  /** Adds what a pod requests of a node, or takes it away. */
  charge(nodeName: string, amounts: AmountsByName, sign: 1 | -1): void {
    const index = this.#indexOf(nodeName);
    this.podCounts[index] = (this.podCounts[index] ?? 0) + sign;
    for (const [metric, amount] of amounts) {
      const m = this.#metricIndex(metric);
      const values = this.requested[m];
      if (values !== undefined) values[index] = (values[index] ?? 0) + sign * amount;
    }
    const values = this.requested[this.#metricIndex(PODS)];
    if (values !== undefined) values[index] = this.podCounts[index] as number;
  }

  /** What is requested of each node in whole percent of what it offers, by metric. */
  percents(): number[][] {
    return this.metrics.map((_, m) => {
      const [offered, requested] = [this.offered[m] as number[], this.requested[m] as number[]];
      return this.names.map((__, i) => {
        const all = offered[i] ?? 0;
        return all > 0 ? Math.round(((requested[i] ?? 0) * 100) / all) : 0;
      });
    });
  }

  /** The shares that ready nodes of each zone have given, by zone and metric. */
  zoneShares(): number[][] {
    const sums = this.zones.map(() => this.metrics.map(() => [0, 0]));
    for (const i of this.names.keys()) {
      if (this.lost.has(i)) continue;
      const zone = sums[this.zoneOf[i] ?? 0];
      for (const m of this.metrics.keys()) {
        const sum = zone?.[m] as [number, number];
        sum[0] += this.requested[m]?.[i] ?? 0;
        sum[1] += this.offered[m]?.[i] ?? 0;
      }
    }
    return sums.map((byMetric) => byMetric.map(([part = 0, all = 0]) => (all > 0 ? part / all : 0)));
  }

  #indexOf(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = this.names.push(name) - 1;
    this.#indexes.set(name, index);
    this.zoneOf.push(this.#zoneIndex(''));
    this.podCounts.push(0);
    for (const values of [...this.offered, ...this.requested]) values[index] = 0;
    return index;
  }

  #zoneIndex(zone: string): number {
    const known = this.#zoneIndexes.get(zone);
    if (known !== undefined) return known;
    const index = this.zones.push(zone) - 1;
    this.#zoneIndexes.set(zone, index);
    return index;
  }

  /** The metric with this name; a resource that nobody has seen becomes one while there is room, -1 after that. */
  #metricIndex(metric: string): number {
    const known = this.metrics.indexOf(metric);
    if (known >= 0 || this.metrics.length >= METRICS_MAX) return known;
    for (const values of [this.offered, this.requested]) values.push(this.names.map(() => 0));
    return this.metrics.push(metric) - 1;
  }
}

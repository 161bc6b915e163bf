import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { exactPodRequests } from '../../api/pod-requests.ts';
import { parseQuantity } from '../../api/quantity.ts';
import type { Watch } from '../../store/objects/store-client.ts';
import type { Store } from '../../store/store.ts';

export interface Usage {
  cpu: number;
  memoryBytes: number;
  pods: number;
}

interface Charge extends Readonly<Usage> {
  readonly nodeName: string;
}

/**
 * What the pods of each node have requested. It is kept up to date by a watch that is read when somebody asks: nobody
 * has to look at all pods again, and who never asks pays nothing.
 */
export class NodeUsage {
  readonly #store: Store;
  readonly #byNode = new Map<string, Usage>();
  readonly #charges = new Map<string, Charge>();
  readonly #pending = new Map<string, Pod>();
  #watch: Watch<Pod> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Pods without a node that are not finished. */
  get pending(): ReadonlyMap<string, Pod> {
    return this.#pending;
  }

  get podCount(): number {
    return this.#charges.size + this.#pending.size;
  }

  of(node: Node): Usage {
    return this.#byNode.get(node.metadata?.name ?? '') ?? { cpu: 0, memoryBytes: 0, pods: 0 };
  }

  /** Takes in what has happened since it was last called. */
  update(): void {
    this.#watch ??= this.#begin();
    for (let event = this.#watch.next(); event !== undefined; event = this.#watch.next()) {
      if (event.type === 'ERROR') {
        // The page was not asked for so long that the store has dropped the events in between.
        this.#watch = this.#begin();
        return;
      }
      if (event.type === 'BOOKMARK') continue;
      this.#note(event.object, event.type !== 'DELETED');
    }
  }

  #begin(): Watch<Pod> {
    for (const known of [this.#byNode, this.#charges, this.#pending]) known.clear();
    const { items, resourceVersion } = this.#store.list('pods');
    for (const pod of items) this.#note(pod, true);
    return this.#store.watch('pods', { resourceVersion });
  }

  #note(pod: Pod, exists: boolean): void {
    const key = `${pod.metadata?.namespace}/${pod.metadata?.name}`;
    const before = this.#charges.get(key);
    if (before !== undefined) this.#add(before, -1);
    this.#charges.delete(key);
    this.#pending.delete(key);
    if (!exists || isPodFinished(pod)) return;
    const nodeName = pod.spec?.nodeName ?? '';
    if (nodeName === '') {
      this.#pending.set(key, pod);
      return;
    }
    const requests = exactPodRequests(pod);
    const amount = (name: string): number => Number(requests.get(name)?.nano ?? 0n) / 1e9;
    const charge = { nodeName, cpu: amount('cpu'), memoryBytes: amount('memory'), pods: 1 };
    this.#charges.set(key, charge);
    this.#add(charge, 1);
  }

  #add({ nodeName, cpu, memoryBytes, pods }: Charge, sign: 1 | -1): void {
    let usage = this.#byNode.get(nodeName);
    if (usage === undefined) {
      usage = { cpu: 0, memoryBytes: 0, pods: 0 };
      this.#byNode.set(nodeName, usage);
    }
    usage.cpu += sign * cpu;
    usage.memoryBytes += sign * memoryBytes;
    usage.pods += sign * pods;
  }
}

/** An amount that a node offers, in whole units: cores, bytes, pods. */
export function offered({ status }: Node, name: string): number {
  const amount = status?.allocatable?.[name] ?? status?.capacity?.[name];
  return amount === undefined ? 0 : Number(parseQuantity(amount).nano) / 1e9;
}

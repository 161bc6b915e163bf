import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import { podRequests } from '../api/pod-requests.ts';
import type { ResourceClaim } from '../api/resource-claims.ts';
import type { NodeState } from '../caller/cluster-view.ts';
import { PodGroupScheduler } from '../cluster/pod-group-scheduler.ts';
import { controllerOf } from '../expansion/present-pods.ts';
import { type Int64, toFloat64 } from '../lib/int64.ts';
import type { Budgets } from './budgets.ts';
import { replacementOf, successionOf } from './replacement.ts';
import type { Pause } from './trial.ts';
import { putBack, removePod, type TrialScheduler } from './trial-scheduler.ts';

const PODS_PER_BATCH = 256;

export interface RemovalOptions {
  readonly budgets: () => Budgets;
  readonly replacesBare: boolean;
  readonly pause: Pause;
}

/** A pod that has left a removed node. */
export interface Move {
  readonly pod: Pod;
  readonly from: string;
  readonly to: string;
}

export interface Removal {
  /** The nodes that can go, in the order in which they were emptied. */
  readonly removed: readonly string[];
  /** The same nodes: those of a step go together, since no pod should move from one of them to another. */
  readonly steps: readonly (readonly string[])[];
  /** Why the others have to stay, by node. */
  readonly kept: ReadonlyMap<string, string>;
  readonly moves: readonly Move[];
  /** The most nodes that could go if pods could be divided at will. */
  readonly bound: number;
}

/** Nodes are tried in this order; of several orders the one counts by which most nodes go. */
const ORDERS: readonly ((a: Candidate, b: Candidate) => number)[] = [
  (a, b) => a.load - b.load,
  (a, b) => a.size - b.size || a.load - b.load,
];

interface Candidate {
  readonly name: string;
  /** The share of the cluster that the pods use that would have to move, of the resource of which it is largest. */
  readonly load: number;
  /** The share of the cluster that the node offers, of the resource of which it is largest. */
  readonly size: number;
}

/** The share of the bound that is tried at first; what is left then is tried by halves. */
const FIRST_SHARE = 0.9;
/** No other order is tried where the first comes so near to the bound. */
const NEAR_BOUND = 0.98;

/**
 * Finds nodes that can go without any pod losing its place: nodes are emptied pod by pod, as far as budgets allow, and
 * put back when one of their pods fits nowhere else. Nobody is preempted. Nodes that had to stay are tried again as
 * long as others have gone meanwhile.
 */
export async function removeNodes(scheduler: TrialScheduler, options: RemovalOptions): Promise<Removal> {
  const states = scheduler.nodes();
  const { candidates, kept } = candidatesOf(states, options.replacesBare);
  const bound = boundOf(states, candidates);
  const orders = ORDERS.map((order) => candidates.toSorted(order).map(({ name }) => name));
  const different = [...new Map(orders.map((names) => [names.join(), names])).values()];
  let best: Omit<Removal, 'bound'> = { removed: [], steps: [], kept: new Map(), moves: [] };
  for (const names of different) {
    const fork = scheduler.fork();
    const found = await new Remover(fork, options).run(names, bound);
    fork[Symbol.dispose]();
    if (best.kept.size === 0 || found.removed.length > best.removed.length) best = found;
    if (best.removed.length >= bound * NEAR_BOUND) break;
  }
  return { ...best, kept: new Map([...kept, ...best.kept]), bound };
}

interface Moved {
  readonly pod: Pod;
  /** The claims that it uses, as they were on its node. */
  readonly claims: readonly ResourceClaim[];
  readonly from: string;
  /** '' for none. */
  readonly to: string;
}

class Remover {
  readonly #scheduler: TrialScheduler;
  readonly #budgets: Budgets;
  readonly #options: RemovalOptions;
  readonly #removed: string[] = [];
  readonly #steps: (readonly string[])[] = [];
  readonly #moves = new Map<string, Move>();

  constructor(scheduler: TrialScheduler, options: RemovalOptions) {
    this.#scheduler = scheduler;
    // Pods that wait must not take the room of those that move.
    for (const { pod, node } of scheduler.pods()) if (node === null) removePod(scheduler, pod);
    this.#options = options;
    this.#budgets = options.budgets();
  }

  async run(names: readonly string[], bound: number): Promise<Omit<Removal, 'bound'>> {
    let open = names;
    const kept = new Map<string, string>();
    for (let before = -1; before !== this.#removed.length && open.length > 0; ) {
      before = this.#removed.length;
      kept.clear();
      await this.#pass(open, bound, kept);
      open = [...kept.keys()];
    }
    const moves = [...this.#moves.values()].filter(({ from, to }) => from !== to);
    return { removed: this.#removed, steps: this.#steps, kept, moves };
  }

  /**
   * Tries the nodes in their order, many together as long as that goes well: a pod should not move to a node that is
   * emptied next.
   */
  async #pass(names: readonly string[], bound: number, kept: Map<string, string>): Promise<void> {
    let size = Math.max(1, Math.floor((bound - this.#removed.length) * FIRST_SHARE));
    for (let i = 0; i < names.length; ) {
      await this.#options.pause();
      const block = names.slice(i, i + size);
      const reason = await this.#remove(block);
      if (reason === null) {
        this.#removed.push(...block);
        this.#steps.push(block);
        i += block.length;
        size = Math.max(1, Math.min(block.length * 2, Math.floor((bound - this.#removed.length) / 2)));
      } else if (block.length > 1) size = Math.floor(block.length / 2);
      else {
        kept.set(block[0] as string, reason);
        i++;
      }
    }
  }

  /** Empties the nodes and removes them. Returns why they have to stay, if so. */
  async #remove(names: readonly string[]): Promise<string | null> {
    const scheduler = this.#scheduler;
    const states = names.map((name) => scheduler.node(name) as NodeState);
    const leaving = states.flatMap(({ name, pods }) =>
      pods.filter(movesElsewhere).map((pod) => {
        return { pod, from: name, size: sizeOf(pod), controller: controllerOf(pod)?.name ?? '' };
      }),
    );
    // Pods leave one by one, and each runs elsewhere before the next one leaves, so that budgets stay as they are.
    const blocked = leaving.map(({ pod }) => this.#budgets.refusalOf(pod)).find((reason) => reason !== null);
    if (blocked !== undefined) return blocked;
    // The pods of a node that is not there are kept, so that the node can come back with them.
    for (const name of names) scheduler.removeNode(name);
    // Large pods are moved first: if one fits nowhere, little has to be undone. Pods that are alike follow each other.
    leaving.sort((a, b) => b.size - a.size || (a.controller < b.controller ? -1 : a.controller > b.controller ? 1 : 0));
    const claims = new Map(leaving.map(({ pod }) => [pod, removePod(scheduler, pod)]));
    const moved: Moved[] = [];
    // A group is complete when all of its pods are there.
    const size = scheduler instanceof PodGroupScheduler ? leaving.length : PODS_PER_BATCH;
    for (let i = 0; i < leaving.length; i += size) {
      await this.#options.pause();
      const batch = leaving.slice(i, i + size);
      const again = batch.map(({ pod }) => withoutPreemption(pod));
      const results =
        scheduler instanceof PodGroupScheduler ? scheduler.scheduleBatch(again) : scheduler.scheduleBatch(again, true);
      for (const [k, { pod, from }] of batch.entries()) {
        moved.push({
          pod,
          from,
          claims: claims.get(pod) ?? [],
          to: k < results.length ? (results.nodeName(k) ?? '') : '',
        });
      }
      if (results.scheduledCount === batch.length) continue;
      const rest = leaving.slice(i + size).map(({ pod, from }): Moved => {
        return { pod, from, claims: claims.get(pod) ?? [], to: '' };
      });
      this.#putBack(states, [...moved, ...rest]);
      return 'one of its pods fits nowhere else';
    }
    for (const { pods } of states) for (const pod of pods) if (!movesElsewhere(pod)) removePod(scheduler, pod);
    for (const { pod, from, to } of moved) {
      const key = podKey(pod);
      this.#moves.set(key, { pod, from: this.#moves.get(key)?.from ?? from, to });
    }
    return null;
  }

  #putBack(states: readonly NodeState[], moved: readonly Moved[]): void {
    // All are taken off before the first has its claims back: another pod may have got the same devices meanwhile.
    for (const { pod } of moved) removePod(this.#scheduler, pod);
    for (const { pod, from, claims } of moved) putBack(this.#scheduler, pod, { nodeName: from, claims });
    for (const { node } of states) this.#scheduler.addNode(node);
  }
}

function withoutPreemption(pod: Pod): Pod {
  const { spec = { containers: [] }, ...others } = replacementOf(pod);
  return { ...others, spec: { ...spec, preemptionPolicy: 'Never' } };
}

function movesElsewhere(pod: Pod): boolean {
  const succession = successionOf(pod);
  return succession === 'replaced' || succession === 'lost';
}

const CONTROL_PLANE = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** The nodes that may go, and why the others may not. */
function candidatesOf(states: readonly NodeState[], replacesBare: boolean) {
  const totals = new Map<string, number>();
  for (const { usage } of states) {
    for (const [name, { allocatable }] of Object.entries(usage)) {
      totals.set(name, (totals.get(name) ?? 0) + toFloat64(allocatable));
    }
  }
  const shareOf = (amounts: readonly (readonly [string, number])[]): number =>
    Math.max(0, ...amounts.map(([name, amount]) => amount / Math.max(totals.get(name) ?? 0, 1)));
  const kept = new Map<string, string>();
  const candidates: Candidate[] = [];
  for (const { name, node, pods, usage } of states) {
    const labels = node.metadata?.labels ?? {};
    if (CONTROL_PLANE.some((key) => Object.hasOwn(labels, key))) kept.set(name, 'it belongs to the control plane');
    else if (!replacesBare && pods.some((pod) => successionOf(pod) === 'lost')) {
      kept.set(name, 'it has pods that no controller makes again');
    } else {
      const size = shareOf(Object.entries(usage).map(([key, { allocatable }]) => [key, toFloat64(allocatable)]));
      const load = pods.some((pod) => movesElsewhere(pod))
        ? shareOf(Object.entries(usage).map(([key, { requested }]) => [key, toFloat64(requested)]))
        : 0;
      candidates.push({ name, load, size });
    }
  }
  return { candidates, kept };
}

/** How many of the smallest candidates can go before some resource is not enough for all requests. */
function boundOf(states: readonly NodeState[], candidates: readonly Candidate[]): number {
  const names = new Set(candidates.map(({ name }) => name));
  const resources = new Set(states.flatMap(({ usage }) => Object.keys(usage)));
  let bound = candidates.length;
  for (const resource of resources) {
    let free = 0;
    const losses: number[] = [];
    for (const { name, pods, usage } of states) {
      const { allocatable = 0, requested = 0 } = usage[resource] ?? {};
      free += toFloat64(allocatable) - toFloat64(requested);
      if (!names.has(name)) continue;
      // What belongs to the node, such as the pods of DaemonSets, goes with it.
      const own = pods.reduce((sum, pod) => sum + (movesElsewhere(pod) ? 0 : requestOf(pod, resource)), 0);
      losses.push(toFloat64(allocatable) - own);
    }
    losses.sort((a, b) => a - b);
    let count = 0;
    for (const loss of losses) {
      if (loss > Math.max(free, 0)) break;
      free -= loss;
      count++;
    }
    bound = Math.min(bound, count);
  }
  return bound;
}

function requestOf(pod: Pod, resource: string): number {
  const { milliCPU, memoryBytes, ephemeralStorageBytes, scalar } = podRequests(pod);
  const native: Readonly<Record<string, Int64>> = {
    ...{ pods: 1, cpu: milliCPU, memory: memoryBytes },
    'ephemeral-storage': ephemeralStorageBytes,
  };
  return toFloat64(native[resource] ?? scalar.get(resource) ?? 0);
}

/** Bytes of memory that count like a cpu where pods are ordered by size. */
const BYTES_PER_CPU = 4 * 2 ** 30;

function sizeOf(pod: Pod): number {
  const { milliCPU, memoryBytes } = podRequests(pod);
  return toFloat64(milliCPU) / 1000 + toFloat64(memoryBytes) / BYTES_PER_CPU;
}

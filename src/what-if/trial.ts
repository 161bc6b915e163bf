import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import { PodGroupScheduler } from '../cluster/pod-group-scheduler.ts';
import type { ScheduleResult } from '../core/decision/result.ts';
import { continuePreempting } from '../core/schedule-preempting.ts';
import type { Scheduler } from '../core/scheduler.ts';
import { Heap } from '../lib/heap.ts';
import type { PodFate } from './fate.ts';
import { HopelessPods } from './hopeless-pods.ts';
import { replacementOf, successionOf } from './replacement.ts';
import { removePod, type TrialScheduler } from './trial-scheduler.ts';

/** Lets the caller's event loop turn from time to time; it rejects to end the work. */
export type Pause = () => Promise<void>;

export interface TrialOptions {
  readonly pause: Pause;
  /** Whether pods without a controller come back, too, as if somebody made them again. */
  readonly replacesBare: boolean;
  /** Looks at the cluster before and after; absent: nobody does. */
  readonly witness?: Witness | undefined;
}

/** Somebody who looks at a cluster before something is tried, and after it. */
export interface Witness {
  before(scheduler: TrialScheduler): void;
  /** `explained`: a pod of each group that waits. */
  after(scheduler: TrialScheduler, waiting: readonly Pod[], explained: readonly string[]): void;
}

/** A pod that has no node, and is to get one. */
interface Waiting {
  readonly pod: Pod;
  readonly priority: number;
  readonly turn: number;
  heapIndex: number;
}

const PODS_PER_BATCH = 256;

const PREEMPTED = 'preempted by a pod of higher priority';

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.priority > b.priority || (a.priority === b.priority && a.turn < b.turn);
}

/**
 * A cluster in which something is tried out, and what becomes of the pods that it concerns. Pods that lose their node
 * come back as their controllers make them, and wait for another: the more important first, then in their order. A pod
 * that fits nowhere may preempt, and its victims wait in their turn. Where there are groups of pods, all of them go
 * through the queue of a scheduler, which tries each group as a whole.
 */
export class Trial {
  readonly scheduler: TrialScheduler;
  readonly #options: TrialOptions;
  /** Pods that have been tried and do not fit. */
  #waiting: Waiting[] = [];
  /** Pods that have not been tried yet. */
  #fresh: Waiting[] = [];
  #turns = 0;
  /** The pods that were waiting before anything was tried. */
  readonly #waitedBefore: Set<string>;
  readonly #fates = new Map<string, PodFate>();
  readonly #hopeless = new HopelessPods();
  #placed: Pod[] = [];

  /** @param waiting the pods that wait for a node from the beginning */
  constructor(scheduler: TrialScheduler, waiting: readonly Pod[], options: TrialOptions) {
    this.scheduler = scheduler;
    this.#options = options;
    this.#waitedBefore = new Set(waiting.map(podKey));
    for (const pod of waiting) this.add(pod, 'was pending');
  }

  /** The same cluster once more, with what became of the pods until now. */
  fork(): Trial {
    const { waiting } = this;
    const fork = new Trial(this.scheduler.fork(), [], this.#options);
    for (const key of this.#waitedBefore) fork.#waitedBefore.add(key);
    for (const [key, fate] of this.#fates) fork.#fates.set(key, fate);
    for (const pod of waiting) fork.add(pod, '');
    return fork;
  }

  /** The same cluster; what was tried until now counts as given. */
  restart(): Trial {
    return new Trial(this.scheduler, this.waiting, this.#options);
  }

  /** The pods that have no node. */
  get waiting(): readonly Pod[] {
    return [...this.#waiting, ...this.#fresh].map(({ pod }) => pod);
  }

  /** What became of the pods concerned. Pods that waited before, and still do, are not. */
  fates(): PodFate[] {
    return [...this.#fates.values()].filter((fate) => !this.#hasWaitedOn(fate));
  }

  /** The pods that waited before, and still do. */
  stillWaiting(): PodFate[] {
    return [...this.#fates.values()].filter((fate) => this.#hasWaitedOn(fate));
  }

  #hasWaitedOn({ pod, outcome }: PodFate): boolean {
    return outcome === 'pending' && this.#waitedBefore.has(pod);
  }

  /** A pod that has no node is to get one. */
  add(pod: Pod, cause: string, more: Partial<PodFate> = {}): void {
    const key = podKey(pod);
    this.#fresh.push({ pod, priority: pod.spec?.priority ?? 0, turn: this.#turns++, heapIndex: -1 });
    // A pod that loses its node again is reported with its first node and cause.
    const before = this.#fates.get(key) ?? { cause, from: null, ...more };
    this.#fates.set(key, { ...before, pod: key, outcome: 'pending', to: null, reason: 'it was not tried yet' });
  }

  /** Takes a pod from its node. It waits for another one, if it comes back at all. */
  displace(pod: Pod, from: string, cause: string, preemptedBy?: string): void {
    removePod(this.scheduler, pod);
    this.changed();
    const succession = successionOf(pod);
    // The node of a preempted pod is still there, so that a DaemonSet makes its pod again for the same one.
    const staysWithNode = succession === 'withNode' && preemptedBy !== undefined;
    const isBack = succession === 'lost' && this.#options.replacesBare;
    const more = { from, ...(preemptedBy !== undefined && { preemptedBy }) };
    if (succession === 'replaced' || staysWithNode || isBack) this.add(replacementOf(pod), cause, more);
    else if (succession !== 'ending') {
      const reason = succession === 'lost' ? 'no controller makes it again' : 'belongs to its node';
      this.note({ pod: podKey(pod), outcome: succession, cause, reason, to: null, ...more });
    }
  }

  /** Removes a pod that is not wanted any more; `node`: null for a pod that waits. */
  remove(pod: Pod, node: string | null, cause: string): void {
    const key = podKey(pod);
    this.#fresh = this.#fresh.filter((each) => podKey(each.pod) !== key);
    this.#waiting = this.#waiting.filter((each) => podKey(each.pod) !== key);
    removePod(this.scheduler, pod);
    this.changed();
    this.note({ pod: key, outcome: 'removed', cause, reason: '', from: node, to: null });
  }

  /** Notes what became of a pod that keeps its place, or was not wanted any more. */
  note(fate: PodFate): void {
    this.#fates.set(fate.pod, fate);
  }

  /** Nodes or pods were changed on the scheduler itself, so that pods may fit that did not. */
  changed(): void {
    this.#hopeless.clear();
  }

  /** Gives nodes to the pods that wait, until no more of them fit. Returns those that have got one. */
  async settle(): Promise<readonly Pod[]> {
    this.#placed = [];
    for (;;) {
      const before = this.#placed.length;
      this.#hopeless.clear();
      this.#fresh = [...this.#waiting, ...this.#fresh];
      this.#waiting = [];
      await this.#tryFresh();
      if (this.#waiting.length === 0 || this.#placed.length === before) return this.#placed;
    }
  }

  /** Tries only the pods that were not tried yet. Returns those that have got a node. */
  async settleNew(): Promise<readonly Pod[]> {
    this.#placed = [];
    await this.#tryFresh();
    return this.#placed;
  }

  /** Tries every new pod once, and those that lose their node meanwhile. */
  async #tryFresh(): Promise<void> {
    const { scheduler } = this;
    if (scheduler instanceof PodGroupScheduler) await this.#tryByQueue(scheduler);
    else await this.#tryInTurn(scheduler);
  }

  /** Lets the pods go through the queue, in which those that have waited before are, too. */
  async #tryByQueue(scheduler: PodGroupScheduler): Promise<void> {
    while (this.#fresh.length > 0) {
      await this.#options.pause();
      const fresh = this.#fresh.sort((a, b) => (isBefore(a, b) ? -1 : 1));
      this.#fresh = [];
      this.#waiting.push(...fresh);
      for (const { pod } of fresh) {
        const { namespace = 'default', name = '' } = pod.metadata ?? {};
        if (!scheduler.has('Pod', name, namespace)) scheduler.addPod(pod);
      }
      const evictedBefore = scheduler.evictions.length;
      scheduler.settle();
      this.#noteQueued(scheduler);
      for (const { preemptor, victims } of scheduler.evictions.slice(evictedBefore)) {
        for (const pod of victims) this.displace(pod, pod.spec?.nodeName ?? '', PREEMPTED, podKey(preemptor));
      }
    }
  }

  /** Notes which pods have got a node, and why the others have none. */
  #noteQueued(scheduler: PodGroupScheduler): void {
    const waiting = this.#waiting.sort((a, b) => a.turn - b.turn);
    this.#waiting = [];
    for (const each of waiting) {
      const node = scheduler.nodeOf(each.pod);
      if (node !== null) this.#notePlaced(each.pod, node);
      else {
        const key = podKey(each.pod);
        const reason = reasonOf(scheduler.failureOf(each.pod));
        this.#fates.set(key, { ...(this.#fates.get(key) as PodFate), reason });
        this.#waiting.push(each);
      }
    }
  }

  async #tryInTurn(scheduler: Scheduler): Promise<void> {
    const heap = new Heap<Waiting>(isBefore);
    const left: Waiting[] = [];
    const fill = (): void => {
      for (const each of this.#fresh) heap.push(each);
      this.#fresh = [];
    };
    fill();
    for (let size = 1; heap.length > 0; ) {
      await this.#options.pause();
      const batch = this.#nextBatch(heap, size);
      const results = scheduler.scheduleBatch(
        batch.map(({ pod }) => pod),
        true,
      );
      const placed = results.scheduledCount;
      for (let i = 0; i < placed; i++) this.#notePlaced((batch[i] as Waiting).pod, results.nodeName(i) as string);
      // Where one pod does not fit, the next ones rarely do, and those of a batch would be prepared in vain.
      size = placed < batch.length ? 1 : Math.min(size * 2, PODS_PER_BATCH);
      for (const each of batch.slice(placed + 1)) heap.push(each);
      const next = batch[placed] ?? (this.#isHopeless(heap.peek()) ? heap.pop() : undefined);
      if (next === undefined) continue;
      if (!this.#place(scheduler, next.pod, placed < batch.length ? results.at(placed) : undefined)) left.push(next);
      // The victims of its preemption.
      fill();
    }
    this.#waiting.push(...left.sort((a, b) => a.turn - b.turn));
  }

  /** The next pods, up to one that is known not to fit: that may have changed when those before it have a place. */
  #nextBatch(heap: Heap<Waiting>, size: number): readonly Waiting[] {
    const batch: Waiting[] = [];
    while (batch.length < size && heap.length > 0 && !this.#isHopeless(heap.peek())) batch.push(heap.pop() as Waiting);
    return batch;
  }

  #isHopeless(next: Waiting | undefined): boolean {
    return next !== undefined && this.#hopeless.reasonOf(next.pod) !== undefined;
  }

  /** @param first the result of a first attempt; absent for a pod that is known not to fit */
  #place(scheduler: Scheduler, pod: Pod, first: ScheduleResult | undefined): boolean {
    const key = podKey(pod);
    const known = first === undefined ? this.#hopeless.reasonOf(pod) : undefined;
    const reason = known ?? this.#attempt(scheduler, pod, first);
    if (reason === null) return true;
    if (known === undefined) this.#hopeless.add(pod, reason);
    this.#fates.set(key, { ...(this.#fates.get(key) as PodFate), reason });
    return false;
  }

  /** Returns null when the pod has got a node, otherwise why it has none. */
  #attempt(scheduler: Scheduler, pod: Pod, first: ScheduleResult | undefined): string | null {
    const { result } = continuePreempting(
      {
        schedule: (each) => scheduler.schedule(each),
        removePod: (namespace, name) => this.#evict(scheduler, namespace, name, podKey(pod)),
      },
      pod,
      first ?? scheduler.schedule(pod),
    );
    if (result.status !== 'scheduled') return reasonOf(result);
    this.#notePlaced(pod, result.node);
    return null;
  }

  #notePlaced(pod: Pod, node: string): void {
    const key = podKey(pod);
    const fate = this.#fates.get(key) as PodFate;
    this.#placed.push(pod);
    this.#hopeless.placed();
    const outcome = fate.from === null ? 'placed' : 'moved';
    this.#fates.set(key, { ...fate, outcome, to: node, reason: '' });
  }

  #evict(scheduler: Scheduler, namespace: string, name: string, preemptor: string): void {
    const state = scheduler.pod(namespace, name);
    if (state?.node == null) scheduler.removePod(namespace, name);
    else this.displace(state.pod, state.node, PREEMPTED, preemptor);
  }
}

/** Upstream's message of a pod that fits nowhere: the part about filters, then the outcome of preemption. */
const FILTERED = /^0\/\d+ nodes are available: (.*?)\.(?: |$)/;

export function reasonOf(result: Exclude<ScheduleResult, { readonly status: 'scheduled' }>): string {
  if (result.status === 'gated') return `${result.plugin}: ${result.reasons.join(', ')}`;
  if (result.status === 'notResponsible') return `no profile for scheduler ${result.schedulerName}`;
  return FILTERED.exec(result.message)?.[1] ?? result.message;
}

import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { VirtualEventLoop } from '../../lib/event-loop.ts';
import { frozenCopy } from '../../store/objects/frozen-copy.ts';
import type { Resource } from '../../store/objects/resources.ts';
import type { Store } from '../../store/store.ts';
import type { ClusterTrace, TraceEvent } from './cluster-trace.ts';
import { PlayedPods } from './played-pods.ts';

/** The parts that a player uses. */
export interface TracePlayerModules {
  readonly store: Store;
  readonly loop: VirtualEventLoop;
  /** Whether a scheduler of the simulation decides about the pod. */
  readonly isOurs: (pod: Pod) => boolean;
  /** Whether the pod might be put on the node if it were decided now. */
  readonly fits: (pod: Pod, node: string) => boolean;
}

/** Objects that others refer to come first. */
const FIRST: readonly Resource[] = ['namespaces', 'priorityclasses', 'storageclasses', 'nodes', 'csinodes'];

/**
 * Plays what happened in a cluster into a store, as everybody but the scheduler did it there: users, controllers and
 * node agents. The scheduler of the simulation decides anew.
 *
 *   moment ──▶ objects as recorded ──▶ everything that is due runs: decisions ──▶ next moment
 *                 pods: where the simulation has put them (`PlayedPods`)
 */
export class TracePlayer {
  readonly pods: PlayedPods;
  readonly #trace: ClusterTrace;
  readonly #modules: TracePlayerModules;
  #next = 0;
  /** The events of the moment that is played which are still to come. */
  #left: readonly TraceEvent[] = [];

  constructor(trace: ClusterTrace, modules: TracePlayerModules) {
    this.#trace = trace;
    this.#modules = modules;
    this.pods = new PlayedPods(trace.pods, {
      ...modules,
      put: (pod) => this.#put('pods', pod),
      remove: (pod) => this.#remove('pods', pod),
    });
  }

  /** Whether everything was played. */
  get isDone(): boolean {
    return this.#next >= this.#trace.moments.length;
  }

  /** Puts the first objects into the store, and begins. */
  start(): void {
    this.pods.start();
    const rankOf = ({ resource }: TraceEvent): number => {
      const rank = FIRST.indexOf(resource);
      if (rank >= 0) return rank;
      return resource === 'pods' ? FIRST.length + 1 : FIRST.length;
    };
    const objects = this.#trace.objects.toSorted((a, b) => rankOf(a) - rankOf(b) || createdAt(a) - createdAt(b));
    for (const event of objects) this.#play(event);
    this.#wait();
  }

  stop(): void {
    this.pods.stop();
  }

  #wait(): void {
    const moment = this.#trace.moments[this.#next];
    if (moment === undefined) return;
    const { loop } = this.#modules;
    this.#left = moment.events;
    loop.after(moment.atMillis - loop.nowMillis(), () => this.#begin());
  }

  /** Plays the next events when everything that is due before them has run. */
  #begin(): void {
    const { loop } = this.#modules;
    if (loop.nextMillis <= loop.nowMillis()) {
      loop.soon(() => this.#begin());
      return;
    }
    const count = this.#countTogether(this.#left);
    const events = this.#left.slice(0, count);
    this.#left = this.#left.slice(count);
    for (const event of events) this.#play(event);
    if (this.#left.length > 0) loop.soon(() => this.#begin());
    else {
      this.#next++;
      this.#wait();
    }
  }

  /**
   * How many of the events come before the next decision. A change between the arrival of a pod and its decision may
   * have come too late for the decision; a recording does not say so. It is taken to be so when the pod gets its
   * recorded node without the change.
   */
  #countTogether(events: readonly TraceEvent[]): number {
    const isArrival = ({ type, resource }: TraceEvent): boolean => type === 'ADDED' && resource === 'pods';
    const first = events.findIndex(isArrival);
    if (first < 0 || events.slice(first).every(isArrival)) return events.length;
    if (first > 0) return first;
    const pod = events[0]?.object as Pod;
    const bound = this.#trace.pods.get(pod.metadata?.uid ?? '')?.bound;
    return bound !== undefined && this.#modules.fits(pod, bound.node) ? 1 : events.length;
  }

  #play(event: TraceEvent): void {
    const { type, resource, object } = event;
    if (resource === 'pods') this.pods.play(event);
    else if (type !== 'DELETED') this.#put(resource, object);
    else {
      this.#remove(resource, object);
      if (resource === 'nodes') this.pods.nodeGone(object.metadata?.name ?? '');
    }
  }

  /** Writes the object as it is; its version is the store's own. */
  #put(resource: Resource, object: KubernetesObject): void {
    const { ledger } = this.#modules.store;
    const { namespace = '', name = '' } = object.metadata ?? {};
    const before = ledger.get(resource, namespace, name);
    const metadata = { ...object.metadata, resourceVersion: ledger.nextVersion };
    if (before === undefined) ledger.insert(resource, frozenCopy({ ...object, metadata }));
    else if (before.metadata?.uid === object.metadata?.uid || resource === 'namespaces') {
      ledger.replace(resource, frozenCopy({ ...object, metadata }, before), before);
    } else {
      ledger.remove(resource, before);
      this.#put(resource, object);
    }
  }

  #remove(resource: Resource, { metadata }: KubernetesObject): void {
    const { ledger } = this.#modules.store;
    const known = ledger.get(resource, metadata?.namespace ?? '', metadata?.name ?? '');
    if (known !== undefined && known.metadata?.uid === metadata?.uid) ledger.remove(resource, known);
  }
}

function createdAt({ object }: TraceEvent): number {
  return Date.parse(String(object.metadata?.creationTimestamp ?? 0)) || 0;
}

import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { VirtualEventLoop } from '../../lib/event-loop.ts';
import { frozenCopy } from '../../store/objects/frozen-copy.ts';
import type { Resource } from '../../store/objects/resources.ts';
import type { Store } from '../../store/store.ts';
import type { ClusterTrace, Moment, TraceEvent } from './cluster-trace.ts';
import { PlayedPods } from './played-pods.ts';

/** The parts that a player uses. */
export interface TracePlayerModules {
  readonly store: Store;
  readonly loop: VirtualEventLoop;
  /** Whether a scheduler of the simulation decides about the pod. */
  readonly isOurs: (pod: Pod) => boolean;
  /** Makes the attempts that the recording has; null: the scheduler has a queue of its own. */
  readonly attempts: RecordedAttempts | null;
}

/** When pods of a trace are tried: when they were tried in the recording, or by a queue of the simulation. */
export type PodAttempts = 'recorded' | 'queue';

/** A scheduler that tries a pod when it was tried in the recording. */
export interface RecordedAttempts {
  /** Tries the pod now. */
  tryNow(uid: string): void;
  /** The pod, which has its node in the recording by now, is tried as by any scheduler. */
  release(pod: Pod): void;
}

/** Objects that others refer to come first. */
const FIRST: readonly Resource[] = ['namespaces', 'priorityclasses', 'storageclasses', 'nodes', 'csinodes'];

/**
 * Plays what happened in a cluster into a store, as everybody but the scheduler did it there: users, controllers and
 * node agents. The scheduler of the simulation decides anew, by what was written before the decision there. The
 * recording says only when a pod was tried, never what came of it:
 *
 *   moment ──▶ the pod that was tried ──▶ objects as recorded ──▶ everything that is due runs ──▶ next moment
 *                                           pods: where the simulation has put them (`PlayedPods`)
 *
 * A pod that got its node there, but not here, is tried from then on whenever the queue of the simulation says so.
 * With a queue of its own the scheduler tries all pods so.
 */
export class TracePlayer {
  readonly pods: PlayedPods;
  readonly #trace: ClusterTrace;
  readonly #modules: TracePlayerModules;
  #next = 0;
  /** The pod that is tried at this moment; '' for none. */
  #tried = '';

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

  /** Whether the scheduler must not try the pod by itself, because the recording says when it is tried. */
  isHeld(uid: string): boolean {
    return this.#modules.attempts !== null && uid !== this.#tried && this.pods.waitsThere(uid);
  }

  #wait(): void {
    const moment = this.#trace.moments[this.#next];
    if (moment === undefined) return;
    const { loop } = this.#modules;
    loop.after(moment.atMillis - loop.nowMillis(), () => this.#afterAllDue(() => this.#begin(moment)));
  }

  /** Runs the task when everything that is due before it has run. */
  #afterAllDue(task: () => void): void {
    const { loop } = this.#modules;
    if (loop.nextMillis > loop.nowMillis()) task();
    else loop.soon(() => this.#afterAllDue(task));
  }

  #begin(moment: Moment): void {
    const { attempts } = this.#modules;
    const { attempt = '' } = moment;
    if (attempts !== null && this.pods.waitsThere(attempt)) {
      this.#tried = attempt;
      attempts.tryNow(attempt);
      this.#tried = '';
    }
    this.#afterAllDue(() => this.#playAll(moment));
  }

  #playAll({ attempt, events }: Moment): void {
    for (const event of events) this.#play(event);
    const missed = attempt === undefined ? undefined : this.pods.missed(attempt);
    if (missed !== undefined) this.#modules.attempts?.release(missed);
    this.#next++;
    this.#wait();
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

import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { podGroupNameOf } from '../../api/pod-group.ts';
import type { VirtualEventLoop } from '../../lib/event-loop.ts';
import { isSame } from '../../store/objects/frozen-copy.ts';
import type { Store } from '../../store/store.ts';
import type { PodHistory, TraceEvent } from './cluster-trace.ts';
import { asPlayed } from './pod-as-played.ts';

/** The parts that are used to play pods. */
export interface PlayedPodsModules {
  readonly store: Store;
  readonly loop: VirtualEventLoop;
  /** Whether a scheduler of the simulation decides about the pod. */
  readonly isOurs: (pod: Pod) => boolean;
  /** Writes a pod as it is. */
  readonly put: (pod: Pod) => void;
  readonly remove: (pod: Pod) => void;
}

/** A pod that gets its node no more than so much earlier or later than recorded has the times of the recording. */
const SAME_TIME_MILLIS = 1000;
const GRACE_SECONDS = 30;
const MILLIS_PER_SECOND = 1000;

/** A pod as it is played. */
interface PlayedPod {
  readonly history: PodHistory;
  /** Whether the simulation decides about the pod. */
  readonly isOurs: boolean;
  /** The recorded state that was reached last. */
  recorded: Pod;
  /** The node that the simulation gave to the pod; null before that. */
  node: string | null;
  /** Whether the pod got its node at another time than recorded, so that it ends at a time of its own. */
  hasOwnTimes: boolean;
  isEvicted: boolean;
  /** Whether the recording has removed the pod, which is still to run here. */
  isGoneThere: boolean;
}

/**
 * The lives of recorded pods, on the nodes that the simulation gives them:
 *
 *   arrival ──▶ waits ──▶ has a node ──▶ runs as long as recorded ──▶ ends ──▶ removed
 *                  └───────────┴──▶ deleted by its user, when it was in the recording
 *                              └──▶ evicted here: removed after its grace period
 *
 * What the recorded scheduler did is not played: its bindings, its evictions and the statuses that it wrote.
 */
export class PlayedPods {
  readonly #histories: ReadonlyMap<string, PodHistory>;
  readonly #modules: PlayedPodsModules;
  readonly #pods = new Map<string, PlayedPod>();
  #stopWatch = (): void => {};

  constructor(histories: ReadonlyMap<string, PodHistory>, modules: PlayedPodsModules) {
    this.#histories = histories;
    this.#modules = modules;
  }

  /** Follows what the scheduler does. */
  start(): void {
    const { store, loop } = this.#modules;
    const { resourceVersion } = store.list('pods', { limit: 1 });
    const watch = store.watch('pods', { resourceVersion });
    this.#stopWatch = () => watch.stop();
    watch.onReady(() => {
      for (let event = watch.next(); event !== undefined; event = watch.next()) {
        if (event.type !== 'MODIFIED') continue;
        const known = this.#pods.get(event.object.metadata?.uid ?? '');
        // This runs within the write of another, so what follows from it is done in a later task.
        if (known !== undefined && isDecided(event.object, known)) loop.soon(() => this.#decided(known));
      }
    });
  }

  stop(): void {
    this.#stopWatch();
  }

  /** The pods that the simulation decides about, each with its node here. */
  *decided(): Iterable<{ readonly history: PodHistory; readonly node: string | null }> {
    for (const { isOurs, history, node } of this.#pods.values()) if (isOurs) yield { history, node };
  }

  /** Whether the pod waits for a node of its own in the recording. Pods of a group are tried together with others. */
  waitsThere(uid: string): boolean {
    const recorded = this.#pods.get(uid)?.recorded;
    return recorded !== undefined && !recorded.spec?.nodeName && podGroupNameOf(recorded) === '';
  }

  /** The pod, if it has its node in the recording by now, but none here. */
  missed(uid: string): Pod | undefined {
    const known = this.#pods.get(uid);
    if (known === undefined || !known.isOurs || !known.recorded.spec?.nodeName) return undefined;
    const own = this.#own(known);
    return own?.spec?.nodeName ? undefined : own;
  }

  play({ type, object }: TraceEvent): void {
    const uid = object.metadata?.uid ?? '';
    const known = this.#pods.get(uid);
    if (type === 'DELETED') {
      if (known !== undefined) this.#goneThere(known);
    } else if (known === undefined) this.#arrived(uid, object as Pod);
    else {
      known.recorded = object as Pod;
      this.#refresh(known);
    }
  }

  /** Removes the pods that only the simulation has put on a node that is gone. */
  nodeGone(node: string): void {
    for (const known of this.#pods.values()) {
      if (known.node !== node || known.history.bound?.node === node) continue;
      const own = this.#own(known);
      if (own !== undefined) this.#modules.remove(own);
    }
  }

  #arrived(uid: string, pod: Pod): void {
    const history = this.#histories.get(uid) ?? { first: pod };
    const isOurs = !history.first.spec?.nodeName && this.#modules.isOurs(pod);
    const flags = { hasOwnTimes: false, isEvicted: false, isGoneThere: false };
    this.#pods.set(uid, { history, isOurs, recorded: pod, node: null, ...flags });
    this.#modules.put(pod);
  }

  /** The pod in the store; undefined when it is gone. */
  #own({ recorded: { metadata } }: PlayedPod): Pod | undefined {
    const own = this.#modules.store.ledger.get('pods', metadata?.namespace ?? '', metadata?.name ?? '');
    return own?.metadata?.uid === metadata?.uid ? own : undefined;
  }

  /** Makes the pod in the store what the recording says, as far as it has come here. */
  #refresh(known: PlayedPod): void {
    const { recorded, isOurs, history, hasOwnTimes } = known;
    const own = this.#own(known);
    if (own === undefined || isPodFinished(own)) return;
    const isEvictedThere = history.evictedMillis !== undefined;
    const pod = isOurs ? asPlayed(recorded, own, { isEvictedThere, hasOwnTimes }) : recorded;
    // A write that changes nothing would still be an update to the scheduler, which orders the pods of a node by them.
    const { resourceVersion } = own.metadata ?? {};
    if (!isSame({ ...pod, metadata: { ...pod.metadata, resourceVersion } }, own)) this.#modules.put(pod);
  }

  /** Takes notice of a binding or an eviction by the scheduler of the simulation. */
  #decided(known: PlayedPod): void {
    const own = this.#own(known);
    if (own === undefined) return;
    if (isBound(own, known)) this.#bound(known, own);
    if (isEvicted(own, known)) this.#evicted(known, own);
  }

  #bound(known: PlayedPod, own: Pod): void {
    const { loop } = this.#modules;
    const { bound, end } = known.history;
    known.node = own.spec?.nodeName ?? null;
    const delayMillis = bound === undefined ? Number.NaN : loop.nowMillis() - bound.atMillis;
    known.hasOwnTimes = !(Math.abs(delayMillis) <= SAME_TIME_MILLIS);
    this.#refresh(known);
    if (!known.hasOwnTimes || bound === undefined || end === undefined) return;
    loop.after(end.atMillis - bound.atMillis, () => this.#ends(known, end.phase));
  }

  /** Ends the pod at its own time. */
  #ends(known: PlayedPod, phase: string): void {
    const own = this.#own(known);
    if (own === undefined) return;
    this.#modules.put({ ...own, status: { ...own.status, phase } });
    if (known.isGoneThere) this.#remove(known);
  }

  #evicted(known: PlayedPod, own: Pod): void {
    known.isEvicted = true;
    const { loop } = this.#modules;
    const graceMillis = (own.metadata?.deletionGracePeriodSeconds ?? GRACE_SECONDS) * MILLIS_PER_SECOND;
    const { evictedMillis = Number.NaN } = known.history;
    // The same eviction is in the recording, which says when the pod has ended, and when it is gone.
    const isEvictedThere = Math.abs(loop.nowMillis() - evictedMillis) <= SAME_TIME_MILLIS;
    if (isEvictedThere && !known.isGoneThere && !known.hasOwnTimes) return;
    loop.after(graceMillis, () => this.#remove(known));
  }

  #goneThere(known: PlayedPod): void {
    const { history, isOurs } = known;
    const own = this.#own(known);
    if (own === undefined) return;
    known.isGoneThere = true;
    const isStillToRun = isOurs && !isPodFinished(own) && own.metadata?.deletionTimestamp === undefined;
    const endsLater = history.end !== undefined && (known.node === null || known.hasOwnTimes);
    if (!isStillToRun || !(endsLater || history.evictedMillis !== undefined)) this.#remove(known);
  }

  #remove(known: PlayedPod): void {
    const own = this.#own(known);
    if (own !== undefined) this.#modules.remove(own);
  }
}

function isDecided(own: Pod, known: PlayedPod): boolean {
  return isBound(own, known) || isEvicted(own, known);
}

function isBound({ spec }: Pod, { isOurs, node }: PlayedPod): boolean {
  return isOurs && node === null && !!spec?.nodeName;
}

/** Whether the pod is being deleted, and not because the recording says so. */
function isEvicted({ metadata }: Pod, { recorded, history, ...known }: PlayedPod): boolean {
  if (metadata?.deletionTimestamp === undefined || known.isEvicted) return false;
  return recorded.metadata?.deletionTimestamp === undefined || history.evictedMillis !== undefined;
}

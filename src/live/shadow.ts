import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import type { EventHandler } from '../client/informer/event-handler.ts';
import type { SilentObserver } from './silent-api.ts';

/** How the decisions about a pod differ. */
export interface Difference {
  readonly pod: string;
  /** The node that was decided here; null if none fits. */
  readonly here: string | null;
  /** Why none fits here, if that is so. */
  readonly reason: string;
  /** The node on which the cluster's own scheduler has put the pod. */
  readonly there: string;
}

/** How often the decisions were the same. */
export interface ShadowSummary {
  readonly agreed: number;
  readonly differed: number;
  /** The pods that the other scheduler had bound before anything was decided here. */
  readonly undecided: number;
}

interface Decision {
  readonly node: string | null;
  readonly reason: string;
}

/**
 * Compares what is decided here with what the cluster's own scheduler does, pod by pod. Whatever is decided here, a pod
 * counts as being where the cluster has put it, so that one difference does not lead to others.
 *
 *   decided here ──▶ waits ──▶ bound there ──▶ agreed, or differed
 *        bound there, nothing decided here ──▶ is held back ──▶ decided here
 *                                                 └──▶ never decided here: undecided
 */
export class Shadow implements SilentObserver, EventHandler<Pod> {
  readonly #isOurs: (pod: Pod) => boolean;
  readonly #differs: (difference: Difference) => void;
  /** The last decision about each pod that is not bound, by its key. */
  readonly #decisions = new Map<string, Decision>();
  /** The pods without a node about which nothing has been decided, by their keys. */
  readonly #open = new Set<string>();
  #agreed = 0;
  #differed = 0;
  #undecided = 0;

  /** `isOurs`: whether decisions about the pod are compared. */
  constructor(isOurs: (pod: Pod) => boolean, differs: (difference: Difference) => void) {
    this.#isOurs = isOurs;
    this.#differs = differs;
  }

  get summary(): ShadowSummary {
    return { agreed: this.#agreed, differed: this.#differed, undecided: this.#undecided };
  }

  readonly bound = (pod: Pod, node: string): void => this.#decided(podKey(pod), { node, reason: '' });

  readonly statusPatched = (namespace: string, name: string, patch: Readonly<Record<string, unknown>>): void => {
    const { status } = patch as { status?: { conditions?: readonly { type?: string; message?: string }[] } };
    const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (condition === undefined) return;
    this.#decided(`${namespace}/${name}`, { node: null, reason: condition.message ?? '' });
  };

  readonly deleted = (): void => {};

  /** Whether the cluster has put the pod on a node before anything was decided here. */
  readonly isAwaited = (pod: Pod): boolean => !!pod.spec?.nodeName && this.#open.has(podKey(pod));

  onAdd(pod: Pod): void {
    const isGated = (pod.spec?.schedulingGates?.length ?? 0) > 0;
    if (!pod.spec?.nodeName && !isGated && this.#isOurs(pod)) this.#open.add(podKey(pod));
  }

  onUpdate(before: Pod, after: Pod): void {
    const there = after.spec?.nodeName;
    if (!there || before.spec?.nodeName || !this.#isOurs(after)) return;
    const pod = podKey(after);
    const decision = this.#decisions.get(pod);
    this.#forget(pod);
    if (decision === undefined) this.#undecided++;
    else if (decision.node === there) this.#agreed++;
    else {
      this.#differed++;
      this.#differs({ pod, here: decision.node, reason: decision.reason, there });
    }
  }

  onDelete(pod: Pod): void {
    this.#forget(podKey(pod));
  }

  #decided(pod: string, decision: Decision): void {
    this.#open.delete(pod);
    this.#decisions.set(pod, decision);
  }

  #forget(pod: string): void {
    this.#open.delete(pod);
    this.#decisions.delete(pod);
  }
}

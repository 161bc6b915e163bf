import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import type { SharedInformer } from '../../client/informer/shared-informer.ts';
import { isTerminated } from './pods-to-delete.ts';

/** What the changes of pods and nodes say to the collector without a look at all pods. */
export interface PodNews {
  /** Whether all changes so far were seen. */
  readonly hasSynced: () => boolean;
  /** Counts the changes of pods and nodes. */
  readonly version: number;
  /** Whether a survey of all pods may find one that concerns the collector, which keeps so many terminated ones. */
  mayConcern(terminatedPodThreshold: number): boolean;
  /** Records that a survey has found no pod on an unknown node, or that it has. */
  surveyed(hasStray: boolean): void;
}

/**
 * Counts terminated and terminating pods with each change, so that most passes need not survey all pods: there is none
 * that is being deleted, few are terminated, and all are on nodes that are known.
 */
export class CountedPodNews implements PodNews {
  readonly hasSynced: () => boolean;
  readonly #nodes: SharedInformer<Node>['lister'];
  version = 0;
  #terminatedCount = 0;
  #terminatingCount = 0;
  /** Whether a pod may be on a node that is not known; only a survey says that none is. */
  #mayBeStray = true;

  constructor(pods: SharedInformer<Pod>, nodes: SharedInformer<Node>) {
    this.#nodes = nodes.lister;
    const name = 'pod garbage collector';
    const ofPods = pods.addHandler(
      {
        onAdd: (pod) => this.#changed(undefined, pod),
        onUpdate: (before, pod) => this.#updated(before, pod),
        onDelete: (pod) => this.#changed(pod, undefined),
      },
      { name },
    );
    const cameOrWent = (): void => {
      this.version++;
      this.#mayBeStray = true;
    };
    const seen = (): void => {
      this.version++;
    };
    const ofNodes = nodes.addHandler({ onAdd: cameOrWent, onUpdate: seen, onDelete: cameOrWent }, { name });
    this.hasSynced = () => ofPods.hasSynced() && ofNodes.hasSynced();
  }

  mayConcern(terminatedPodThreshold: number): boolean {
    return this.#mayBeStray || this.#terminatingCount > 0 || this.#terminatedCount > terminatedPodThreshold;
  }

  surveyed(hasStray: boolean): void {
    this.#mayBeStray = hasStray;
  }

  /** Most updates are about what does not matter here. */
  #updated(before: Pod, after: Pod): void {
    const isSame =
      after.spec === before.spec &&
      after.status?.phase === before.status?.phase &&
      after.metadata?.deletionTimestamp === before.metadata?.deletionTimestamp;
    if (isSame) this.version++;
    else this.#changed(before, after);
  }

  #changed(before: Pod | undefined, after: Pod | undefined): void {
    this.version++;
    if (before !== undefined) this.#count(before, -1);
    if (after === undefined) return;
    this.#count(after, 1);
    const nodeName = after.spec?.nodeName;
    if (!nodeName || nodeName === before?.spec?.nodeName) return;
    if (this.#nodes.get('', nodeName) === undefined) this.#mayBeStray = true;
  }

  #count(pod: Pod, sign: 1 | -1): void {
    if (isTerminated(pod)) this.#terminatedCount += sign;
    if (pod.metadata?.deletionTimestamp) this.#terminatingCount += sign;
  }
}

import type { Pod } from '../../src/api/pod.ts';
import { isPodReady } from '../../src/api/pod-conditions.ts';
import { timeAtMillis } from '../../src/api/time.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { targetNodeOf } from '../../src/controllers/daemonset/daemon-pod.ts';
import { Prng } from '../../src/lib/prng.ts';
import { isApiError, unlessRefused } from '../../src/store/objects/api-error.ts';
import { makeNode } from './make-node.ts';

/** A pod whose template has this annotation never becomes ready. */
export const NEVER_READY = 'never-ready';

/**
 * The lives of pods where only readiness matters: each is bound, becomes ready and goes after a delay that the seed
 * draws. `onChange` is called after every change of a pod.
 */
export class PodLife {
  readonly #cluster: Cluster;
  readonly #prng: Prng;
  readonly #maxMillis: number;
  readonly #binds: boolean;
  #failure: { readonly error: unknown } | undefined;
  readonly #seen = new Map<string, 'lives' | 'ends'>();

  constructor(
    cluster: Cluster,
    { seed = 1, maxMillis = 5000, binds = true, onChange = () => {} }: PodLifeOptions = {},
  ) {
    this.#cluster = cluster;
    this.#prng = new Prng(seed);
    this.#maxMillis = maxMillis;
    this.#binds = binds;
    // PodGC would collect the pods of a node that does not exist.
    if (binds) unlessRefused(['AlreadyExists'], () => cluster.store.create('nodes', makeNode('node-1')));
    const watch = cluster.store.watch('pods', { resourceVersion: '0' });
    watch.onReady(() => {
      for (let event = watch.next(); event !== undefined; event = watch.next()) {
        if (!('object' in event)) continue;
        if (event.type !== 'DELETED') this.#see(event.object);
        try {
          onChange(event.type, event.object);
        } catch (error) {
          this.#failure ??= { error };
        }
      }
    });
  }

  /**
   * Throws the first error of `onChange`. It is not thrown where it arises, which is in the middle of a write of a
   * controller, who would try again.
   */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #see({ metadata, spec }: Pod): void {
    const { uid = '', namespace = '', name = '', deletionTimestamp } = metadata ?? {};
    const stage = this.#seen.get(uid);
    if (deletionTimestamp !== undefined && stage !== 'ends') {
      this.#seen.set(uid, 'ends');
      this.#later(() => this.#cluster.store.delete('pods', namespace, name, { ...now(uid) }));
    } else if (stage === undefined) {
      this.#seen.set(uid, 'lives');
      const isBad = metadata?.annotations?.[NEVER_READY] !== undefined;
      const nodeName = spec?.nodeName || targetNodeOf({ spec }) || 'node-1';
      this.#later(() => {
        const pod = this.#cluster.store.get('pods', namespace, name);
        if (pod.metadata?.uid !== uid || pod.metadata?.deletionTimestamp !== undefined) return;
        if (!pod.spec?.nodeName) {
          if (!this.#binds) {
            this.#seen.delete(uid);
            return;
          }
          this.#cluster.store.bind(namespace, name, { metadata: { uid }, target: { name: nodeName } });
        }
        this.#setStatus(pod, !isBad);
      });
    }
  }

  #setStatus({ metadata }: Pod, isReady: boolean): void {
    const { namespace = '', name = '' } = metadata ?? {};
    const { loop, store } = this.#cluster;
    const lastTransitionTime = timeAtMillis(loop.nowMillis());
    const ready = { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime };
    const body = { status: { phase: 'Running', conditions: [ready] } };
    store.patch('pods', namespace, name, { type: 'strategic', body }, 'status');
  }

  #later(task: () => void): void {
    this.#cluster.loop.after(1 + this.#prng.below(this.#maxMillis), () => {
      try {
        task();
      } catch (error) {
        if (!isApiError(error, 'NotFound') && !isApiError(error, 'Conflict')) throw error;
      }
    });
  }
}

export interface PodLifeOptions {
  readonly seed?: number;
  readonly maxMillis?: number;
  /** Whether pods are bound here; absent: true. */
  readonly binds?: boolean;
  readonly onChange?: (type: string, pod: Pod) => void;
}

function now(uid: string) {
  return { gracePeriodSeconds: 0, preconditions: { uid } };
}

export function isGoing({ metadata }: Pod): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

export function isServing(pod: Pod): boolean {
  return !isGoing(pod) && isPodReady(pod);
}

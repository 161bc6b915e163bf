import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { successionOf } from '../replacement.ts';

/** The time after which `kubectl drain` tries a refused eviction again. */
const RETRY_MILLIS = 5000;

export interface DrainerModules {
  readonly client: StoreClient;
  readonly loop: EventLoop;
  /** Takes an error that stops nothing. */
  readonly reportError: (error: unknown, activity: string) => void;
  /** Whether pods without a controller are evicted, too (`kubectl drain --force`). */
  readonly evictsBare: boolean;
}

/** A node that was drained in time. */
export interface TimedDrain {
  readonly node: string;
  /** When the last of its pods had gone, since the beginning of the drain; null: not until the end. */
  readonly emptyMillis: number | null;
  readonly refusals: number;
}

/**
 * Drains nodes as `kubectl drain --ignore-daemonsets --delete-emptydir-data` does: all are cordoned, and then emptied
 * one after the other. An eviction that a budget refuses is tried again every five seconds.
 */
export class Drainer {
  readonly #modules: DrainerModules;
  readonly #drains: { node: string; emptyMillis: number | null; refusals: number }[] = [];
  #startMillis = 0;

  constructor(modules: DrainerModules) {
    this.#modules = modules;
  }

  get drains(): readonly TimedDrain[] {
    return this.#drains;
  }

  start(nodes: readonly string[]): void {
    const { client, loop } = this.#modules;
    this.#startMillis = loop.nowMillis();
    for (const node of nodes) {
      this.#attempt(`cordon ${node}`, () =>
        client.patch('nodes', '', node, { type: 'strategic', body: { spec: { unschedulable: true } } }),
      );
      this.#drains.push({ node, emptyMillis: null, refusals: 0 });
    }
    this.#next(0);
  }

  #next(index: number): void {
    const drain = this.#drains[index];
    if (drain === undefined) return;
    const { client, loop, evictsBare } = this.#modules;
    const pods = client.list('pods').items.filter((pod) => this.#leaves(pod, drain.node, evictsBare));
    if (pods.length === 0) {
      drain.emptyMillis = loop.nowMillis() - this.#startMillis;
      this.#next(index + 1);
      return;
    }
    for (const { metadata } of pods) {
      if (metadata?.deletionTimestamp !== undefined) continue;
      const { namespace = 'default', name = '' } = metadata ?? {};
      try {
        client.evict(namespace, name);
      } catch (error) {
        if (isApiError(error, 'TooManyRequests')) drain.refusals++;
        else if (!isApiError(error, 'NotFound')) this.#modules.reportError(error, `evict ${namespace}/${name}`);
      }
    }
    loop.after(RETRY_MILLIS, () => this.#next(index));
  }

  /** Whether the pod has to leave the node before it is empty. */
  #leaves(pod: Pod, node: string, evictsBare: boolean): boolean {
    if (pod.spec?.nodeName !== node || isPodFinished(pod)) return false;
    const succession = successionOf(pod);
    return succession === 'replaced' || succession === 'ending' || (succession === 'lost' && evictsBare);
  }

  #attempt(activity: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#modules.reportError(error, activity);
    }
  }
}

import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { UnknownObject } from '../../api/validation/check.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { type SubmittedObject, submittedObject } from '../../simulation/workload/submitted-object.ts';
import { ifFound, isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { replacementOf, successionOf } from '../replacement.ts';

/** The time after which `kubectl drain` tries a refused eviction again. */
const RETRY_MILLIS = 5000;

export interface DrainerModules {
  readonly client: StoreClient;
  readonly loop: EventLoop;
  /** Takes an error that stops nothing. */
  readonly reportError: (error: unknown, activity: string) => void;
  /** Whether pods without a controller are evicted, too (`kubectl drain --force`), and made again by somebody. */
  readonly replacesBare: boolean;
}

/** Nodes that are cordoned together, and emptied one after the other. */
export interface DrainStep {
  readonly nodes: readonly string[];
  /** Whether each node is deleted as soon as it is empty. */
  readonly isRemoval: boolean;
}

/** A node that was drained in time. */
export interface TimedDrain {
  readonly node: string;
  /** When the last of its pods had gone, since the beginning of the drain; null: not until the end. */
  readonly emptyMillis: number | null;
  readonly refusals: number;
  /** Whether the node was to be deleted when it was empty. */
  readonly isRemoval: boolean;
}

/**
 * Drains nodes as `kubectl drain --ignore-daemonsets --delete-emptydir-data` does: those of a step are cordoned, and
 * then emptied one after the other; then comes the next step. An eviction that a budget refuses is tried again every
 * five seconds.
 */
export class Drainer {
  readonly #modules: DrainerModules;
  readonly #drains: { node: string; emptyMillis: number | null; refusals: number; isRemoval: boolean }[] = [];
  /** Pods without a controller that were evicted, and are made again when they are gone. */
  #evictedBare: SubmittedObject[] = [];
  #startMillis = 0;

  constructor(modules: DrainerModules) {
    this.#modules = modules;
  }

  get drains(): readonly TimedDrain[] {
    return this.#drains;
  }

  start(steps: readonly DrainStep[]): void {
    this.#startMillis = this.#modules.loop.nowMillis();
    for (const { nodes, isRemoval } of steps) {
      for (const node of nodes) this.#drains.push({ node, emptyMillis: null, refusals: 0, isRemoval });
    }
    this.#step(steps, 0);
  }

  /** @param first the number of nodes of the steps before this one */
  #step([step, ...later]: readonly DrainStep[], first: number): void {
    if (step === undefined) return;
    const { client } = this.#modules;
    for (const node of step.nodes) {
      this.#attempt(`cordon ${node}`, () =>
        client.patch('nodes', '', node, { type: 'strategic', body: { spec: { unschedulable: true } } }),
      );
    }
    const end = first + step.nodes.length;
    this.#next(first, end, () => this.#step(later, end));
  }

  /** Empties the nodes from `index` to `end`, one after the other. */
  #next(index: number, end: number, onEnd: () => void): void {
    const drain = this.#drains[index];
    if (index === end || drain === undefined) {
      onEnd();
      return;
    }
    const { client, loop } = this.#modules;
    this.#makeAgain();
    const pods = client.list('pods').items.filter((pod) => this.#leaves(pod, drain.node));
    if (pods.length === 0) {
      drain.emptyMillis = loop.nowMillis() - this.#startMillis;
      if (drain.isRemoval) this.#attempt(`delete ${drain.node}`, () => client.delete('nodes', '', drain.node));
      this.#next(index + 1, end, onEnd);
      return;
    }
    for (const pod of pods) {
      const { namespace = 'default', name = '', deletionTimestamp } = pod.metadata ?? {};
      if (deletionTimestamp !== undefined) continue;
      try {
        client.evict(namespace, name);
        if (successionOf(pod) === 'lost') this.#evictedBare.push(asMadeAgain(pod));
      } catch (error) {
        if (isApiError(error, 'TooManyRequests')) drain.refusals++;
        else if (!isApiError(error, 'NotFound')) this.#modules.reportError(error, `evict ${namespace}/${name}`);
      }
    }
    loop.after(RETRY_MILLIS, () => this.#next(index, end, onEnd));
  }

  #makeAgain(): void {
    const { client } = this.#modules;
    this.#evictedBare = this.#evictedBare.filter(({ resource, object }) => {
      const { namespace = 'default', name = '' } = object.metadata ?? {};
      if (ifFound(() => client.get('pods', namespace, name)) !== undefined) return true;
      this.#attempt(`create ${namespace}/${name}`, () => client.create(resource, object));
      return false;
    });
  }

  /** Whether the pod has to leave the node before it is empty. */
  #leaves(pod: Pod, node: string): boolean {
    if (pod.spec?.nodeName !== node || isPodFinished(pod)) return false;
    const succession = successionOf(pod);
    return (
      succession === 'replaced' || succession === 'ending' || (succession === 'lost' && this.#modules.replacesBare)
    );
  }

  #attempt(activity: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#modules.reportError(error, activity);
    }
  }
}

function asMadeAgain(pod: Pod): SubmittedObject {
  return submittedObject('Pod', replacementOf(pod) as unknown as UnknownObject) as SubmittedObject;
}

import type { KubernetesObject } from '../api/meta.ts';
import type { ReportError } from '../client/report-error.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import { keyedPrng } from '../lib/keyed-prng.ts';
import { isApiError } from '../store/objects/api-error.ts';
import type { Resource } from '../store/objects/resources.ts';
import type { StoreClient } from '../store/objects/store-client.ts';
import type { Arrival, ArrivalSource } from './workload/arrival.ts';
import { keyOf, makeChange, type PlannedChange } from './workload/planned-change.ts';

export interface SubmissionsModules {
  readonly client: StoreClient;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
}

/** The users of a cluster: they create objects at their times, change them, and delete them again. */
export class Submissions {
  readonly #modules: SubmissionsModules;
  readonly #startMillis: number;
  /** The number of sources that are not exhausted, and of changes and deletions that are still to come. */
  #openCount = 0;

  constructor(modules: SubmissionsModules) {
    this.#modules = modules;
    this.#startMillis = modules.loop.nowMillis();
  }

  /** Whether the last object has been created, and the last planned change and deletion are done. */
  get isDone(): boolean {
    return this.#openCount === 0;
  }

  /**
   * Starts all sources. Each draws from a generator of its own, so that an additional source does not change the
   * others.
   */
  start(sources: readonly ArrivalSource[], seed: number): void {
    for (const [i, source] of sources.entries()) {
      const arrivals = source.arrivals(keyedPrng(seed, `arrivals/${i}`));
      this.#openCount++;
      this.#waitFor(arrivals, arrivals.next());
    }
  }

  /** Plans changes, each at its time. One that the API refuses is reported. */
  plan(changes: readonly PlannedChange[]): void {
    const { client, reportError } = this.#modules;
    this.#openCount += changes.length;
    for (const change of changes) {
      this.#at(change.atMillis, () => {
        this.#openCount--;
        try {
          makeChange(client, change);
        } catch (error) {
          reportError(error, `${change.verb} ${keyOf(change)}`);
        }
      });
    }
  }

  #waitFor(arrivals: Iterator<Arrival>, next: IteratorResult<Arrival>): void {
    if (next.done) this.#openCount--;
    else this.#at(next.value.atMillis, () => this.#submitAllDue(arrivals, next.value));
  }

  #submitAllDue(arrivals: Iterator<Arrival>, first: Arrival): void {
    let next: IteratorResult<Arrival> = { value: first };
    for (; !next.done && next.value.atMillis <= first.atMillis; next = arrivals.next()) this.#submit(next.value);
    this.#waitFor(arrivals, next);
  }

  #submit({ resource, object, deletionMillis }: Arrival): void {
    const { client, reportError } = this.#modules;
    let created: KubernetesObject;
    try {
      created = client.create(resource, object);
    } catch (error) {
      reportError(error, `submit ${resource} ${object.metadata?.name ?? object.metadata?.generateName}`);
      return;
    }
    if (deletionMillis === Number.POSITIVE_INFINITY) return;
    this.#openCount++;
    this.#at(deletionMillis, () => {
      this.#openCount--;
      this.#delete(resource, created);
    });
  }

  /** Deletes the object with this uid. It may be gone, and another object may have its name. */
  #delete(resource: Resource, { metadata }: KubernetesObject): void {
    const { client, reportError } = this.#modules;
    const { namespace = '', name = '', uid } = metadata ?? {};
    try {
      client.delete(resource, namespace, name, { propagationPolicy: 'Background', preconditions: { uid } });
    } catch (error) {
      if (isApiError(error, 'NotFound') || isApiError(error, 'Conflict')) return;
      reportError(error, `delete ${resource} ${namespace}/${name}`);
    }
  }

  #at(millis: number, task: () => void): void {
    const { loop } = this.#modules;
    loop.after(this.#startMillis + millis - loop.nowMillis(), task);
  }
}

import { Informers } from '../../src/client/informer/informers.ts';
import type { ReportError } from '../../src/client/report-error.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { Prng } from '../../src/lib/prng.ts';
import { internalError } from '../../src/store/objects/api-error.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import type { Resource } from '../../src/store/objects/resources.ts';
import type { StoreClient } from '../../src/store/objects/store-client.ts';
import { Store } from '../../src/store/store.ts';

/** A request to the API, for those who let it fail. */
export interface Call {
  readonly verb: keyof StoreClient;
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** A store and informers on a virtual clock; controllers come to it through a client that can fail. */
export class ControlPlane {
  readonly loop = new VirtualEventLoop(Date.UTC(2026, 0, 1));
  /** The truth; what a test does to it itself never fails. */
  readonly store: Store;
  readonly client: StoreClient;
  readonly informers: Informers;
  /** What was reported: the activity and the error. */
  readonly reported: string[] = [];
  readonly reportError: ReportError = (error, activity) =>
    this.reported.push(`${activity}: ${(error as Error).message}`);
  /** Which requests of controllers are refused with an internal error. */
  isRefused: (call: Call) => boolean = () => false;

  constructor(seed = 1) {
    const prng = new Prng(seed);
    this.store = new Store({ clock: this.loop, names: new RandomNames(prng) });
    this.client = this.#failing(this.store);
    this.informers = new Informers(this.store, { loop: this.loop, prng, reportError: this.reportError });
  }

  runSeconds(seconds: number): void {
    this.loop.runUntil(this.loop.nowMillis() + seconds * 1000);
  }

  /** `namespace/name` of every object of the resource; the name alone where there are no namespaces. */
  names(resource: Resource): string[] {
    return this.store.list(resource).items.map(({ metadata }) => {
      const { namespace, name = '' } = metadata ?? {};
      return namespace === undefined ? name : `${namespace}/${name}`;
    });
  }

  /** The names of the pods that are being deleted. */
  leavingPods(): readonly string[] {
    const leaving = this.store.list('pods').items.filter(({ metadata }) => metadata?.deletionTimestamp !== undefined);
    return leaving.map(({ metadata }) => metadata?.name ?? '');
  }

  #failing(store: Store): StoreClient {
    return new Proxy<StoreClient>(store, {
      get: (_, verb: keyof StoreClient) => {
        return (resource: Resource, namespace: string, name: string, ...rest: unknown[]) => {
          if (this.isRefused({ verb, resource, namespace, name })) throw internalError('boom');
          return (store[verb] as (...args: unknown[]) => unknown).call(store, resource, namespace, name, ...rest);
        };
      },
    });
  }
}

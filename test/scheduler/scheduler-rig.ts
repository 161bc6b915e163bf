import type { Pod } from '../../src/api/pod.ts';
import { Informers } from '../../src/client/informer/informers.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { Prng } from '../../src/lib/prng.ts';
import type { SchedulingEventRecorder } from '../../src/scheduler/scheduler-api.ts';
import { storeApi } from '../../src/scheduler/store-api.ts';
import {
  StoreScheduler,
  type StoreSchedulerModules,
  type StoreSchedulerOptions,
} from '../../src/scheduler/store-scheduler.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import { Store } from '../../src/store/store.ts';

/** An event that the scheduler recorded. */
export interface RecordedEvent {
  readonly pod: string;
  readonly reason: string;
  readonly note: string;
}

/** A scheduler on a store of its own, on a virtual clock. */
export class SchedulerRig {
  readonly loop = new VirtualEventLoop(Date.UTC(2026, 0, 1));
  /** Recordings were made of pods as they are, past that admission plugin. */
  readonly store = new Store(
    { clock: this.loop, names: new RandomNames(new Prng(1)) },
    { withoutDefaultTolerations: true },
  );
  readonly informers: Informers;
  readonly scheduler: StoreScheduler;
  readonly events: RecordedEvent[] = [];
  /** What was reported: the activity and the error. */
  readonly reported: string[] = [];

  /** `modulesOf`: what is to be other than usual. */
  constructor(
    options: StoreSchedulerOptions = {},
    modulesOf: (rig: SchedulerRig) => Partial<StoreSchedulerModules> = () => ({}),
  ) {
    const { loop, store } = this;
    const reportError = (error: unknown, activity: string): void => {
      this.reported.push(`${activity}: ${(error as Error).message}`);
    };
    const recorder: SchedulingEventRecorder = {
      event: ({ metadata }, _related, _type, reason, _action, note) => {
        this.events.push({ pod: metadata?.name ?? '', reason, note });
      },
    };
    this.informers = new Informers(store, { loop, prng: new Prng(2), reportError });
    const api = storeApi(store);
    this.scheduler = new StoreScheduler(
      { api, informers: this.informers, loop, recorder, reportError, ...modulesOf(this) },
      options,
    );
    this.informers.start();
    this.scheduler.start();
    this.runMillis(1000);
  }

  runMillis(millis: number): void {
    this.loop.runUntil(this.loop.nowMillis() + millis);
  }

  pod(name: string, namespace = 'default'): Pod {
    return this.store.get('pods', namespace, name);
  }

  /** '' while the pod has none. */
  nodeOf(name: string, namespace = 'default'): string {
    return this.pod(name, namespace).spec?.nodeName ?? '';
  }
}

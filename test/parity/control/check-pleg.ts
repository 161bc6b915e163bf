import { EventChannel } from '../../../src/kubelet/pleg/event-channel.ts';
import { GenericPleg } from '../../../src/kubelet/pleg/generic-pleg.ts';
import { RuntimeError } from '../../../src/kubelet/pleg/runtime.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { FakeRuntime, type FakeRuntimePod } from '../../builders/fake-runtime.ts';
import { type Difference, differences } from '../differences.ts';
import { type ControlCase, millisAt, START_MILLIS, secondsSinceStart } from './control-case.ts';
import {
  type Observation,
  RecordingCache,
  shownAnswer,
  shownCache,
  shownEvents,
  shownOperations,
  shownRecords,
} from './pleg-observation.ts';

export interface PlegCase extends ControlCase {
  readonly config: { readonly channelCapacity: number; readonly relistThresholdSeconds: number };
  readonly steps: readonly PlegStep[];
}

/** A step with the parameters of all operations; each operation uses those that it needs. */
interface PlegStep {
  readonly op: string;
  readonly out?: Observation;
  readonly pods: readonly FakeRuntimePod[];
  readonly error: string;
  readonly seconds: number;
  readonly pod: string;
  readonly count: number;
  readonly minTime: number;
  readonly waiter: string;
  readonly statusName: string;
  readonly timestamp: number;
}

/** Replays one recorded scenario of the generic PLEG, its cache and its health. */
export function checkPleg({ config, steps }: PlegCase): Difference[] {
  const replay = new PlegReplay(config);
  for (const [i, step] of steps.entries()) {
    const found = differences(`steps[${i}] ${step.op}`, step.out, replay.run(step));
    if (found.length > 0) return found;
  }
  return [];
}

class PlegReplay {
  readonly #loop = new VirtualEventLoop(START_MILLIS);
  readonly #runtime = new FakeRuntime(this.#loop);
  readonly #cache = new RecordingCache((task) => this.#loop.soon(task));
  readonly #channel: EventChannel;
  readonly #pleg: GenericPleg;
  readonly #waiting = new Set<string>();
  #answered = new Map<string, Observation>();

  constructor({ channelCapacity, relistThresholdSeconds }: PlegCase['config']) {
    this.#channel = new EventChannel(channelCapacity);
    this.#pleg = new GenericPleg({
      runtime: this.#runtime,
      cache: this.#cache,
      channel: this.#channel,
      clock: this.#loop,
      relistThresholdMillis: relistThresholdSeconds * 1000,
    });
  }

  /** What is observed after the step; undefined where the recording observes nothing. */
  run(step: PlegStep): Observation | undefined {
    switch (step.op) {
      case 'relist':
        return this.#observeRelist(step, () => this.#pleg.relist());
      case 'relistPod':
        return this.#observeRelist(step, () => this.#pleg.relistPod(step.pod));
      case 'drain':
        this.#channel.take(step.count);
        return { channelLength: this.#channel.length };
      case 'healthy':
        return { healthy: this.#pleg.healthy() };
      case 'cacheGet':
        return shownAnswer(this.#cache.get(step.pod));
      case 'getNewerThan':
      case 'cacheSet':
      case 'cacheDelete':
      case 'cacheSetObservedTime':
      case 'cacheUpdateTime':
        this.#callCache(step);
        return this.#observeWaiters();
      default:
        this.#change(step);
        return undefined;
    }
  }

  /** What the world does meanwhile. */
  #change({ op, pods, error, pod, seconds }: PlegStep): void {
    if (op === 'runtime') this.#runtime.pods = pods;
    else if (op === 'listError') this.#runtime.listError = error;
    else if (op === 'getPodError') this.#runtime.getPodError = error;
    else if (op === 'requestReinspect') this.#pleg.requestReinspect(pod);
    else if (op === 'advance') this.#loop.runUntil(this.#loop.nowMillis() + seconds * 1000);
    else throw new Error(`no such operation: ${op}`);
  }

  #callCache({ op, pod, waiter, minTime, statusName, error, timestamp }: PlegStep): void {
    if (op === 'getNewerThan') {
      this.#waiting.add(waiter);
      this.#cache.getNewerThan(pod, millisAt(minTime), (answer) => {
        this.#waiting.delete(waiter);
        this.#answered.set(waiter, { waiter, ...shownAnswer(answer) });
      });
    } else if (op === 'cacheSet') {
      const status = { uid: pod, name: statusName, ips: [], containerStatuses: [], sandboxStatuses: [] };
      const answer = error === '' ? { status } : { status, error: new RuntimeError(error) };
      this.#cache.set(pod, answer, millisAt(timestamp));
    } else if (op === 'cacheDelete') this.#cache.delete(pod);
    else if (op === 'cacheSetObservedTime') this.#cache.setObservedTime(pod, millisAt(timestamp));
    else this.#cache.updateTime(millisAt(timestamp));
  }

  #observeRelist({ out }: PlegStep, relist: () => void): Observation {
    this.#runtime.statusCalls.length = 0;
    this.#cache.operations.length = 0;
    const lengthBefore = this.#channel.length;
    const discardedBefore = this.#channel.discarded;
    relist();
    const events = this.#channel.peek().slice(lengthBefore);
    const globalMillis = this.#cache.globalMillis;
    return {
      at: secondsSinceStart(this.#loop.nowMillis()),
      ...(out?.['whichEventsUndefined'] === true
        ? { whichEventsUndefined: true, eventCount: events.length }
        : { events: shownEvents(events) }),
      discarded: this.#channel.discarded - discardedBefore,
      channelLength: this.#channel.length,
      statusCalls: this.#runtime.statusCalls.toSorted(),
      cacheOps: shownOperations(this.#cache.operations),
      cache: shownCache(this.#cache),
      cacheTime: globalMillis === undefined ? null : secondsSinceStart(globalMillis),
      podsToReinspect: [...this.#pleg.podsToReinspect].toSorted(),
      records: shownRecords(this.#pleg),
      healthy: this.#pleg.healthy(),
      ...this.#observeWaiters(),
    };
  }

  /** Reports which waiters got an answer in this step, and which still wait. */
  #observeWaiters(): Observation {
    this.#loop.runUntil(this.#loop.nowMillis());
    const released = [...this.#answered.keys()].toSorted().map((waiter) => this.#answered.get(waiter));
    this.#answered = new Map();
    return {
      ...(released.length > 0 && { waitersReleased: released }),
      ...(this.#waiting.size > 0 && { waitersPending: [...this.#waiting].toSorted() }),
    };
  }
}

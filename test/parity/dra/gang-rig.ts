import type { Kind } from '../../../src/api/kinds.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { EngineName } from '../../../src/engine/cycle/engine.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { SchedulingQueue } from '../../../src/scheduler/queue/scheduling-queue.ts';
import type { SchedulingEventRecorder } from '../../../src/scheduler/scheduler-api.ts';
import { StoreScheduler } from '../../../src/scheduler/store-scheduler.ts';
import { START_MILLIS, secondsSinceStart } from '../control/control-case.ts';
import { StubInformers } from '../queue/stub-informers.ts';
import { StubObjects } from '../queue/stub-objects.ts';
import { OBJECT_KINDS } from '../read-cases.ts';
import { GangApi } from './gang-api.ts';
import type { GangAttempt, GangCase, GangOutcome, GangStep, GangWrite } from './gang-case.ts';
import { gangState } from './gang-state.ts';

type Fields = Readonly<Record<string, unknown>>;

/** More attempts in one step than any scenario makes: the queue does not come to rest. */
const MOST_ATTEMPTS = 1000;

/** The scheduler of a scenario, between a stub API server and a clock that only the recorded steps move. */
export class GangRig {
  readonly #loop = new VirtualEventLoop(START_MILLIS);
  readonly #objects = new StubObjects(() => {});
  readonly #api: GangApi;
  readonly #scheduler: StoreScheduler;
  #tries: string[] = [];
  #events: Fields[] = [];
  #calls: Fields[] = [];
  #attempts: GangAttempt[] = [];

  constructor({ objects, featureGates }: GangCase, engine: EngineName) {
    this.#api = new GangApi(this.#objects, (call) => this.#calls.push(call));
    this.#scheduler = new StoreScheduler(
      {
        api: this.#api,
        informers: new StubInformers(this.#objects),
        loop: this.#loop,
        recorder: this.#recorder(),
        reportError: () => {},
        observer: { memberTried: (pod, nodeName) => this.#tried(pod, nodeName) },
        newQueue: (modules, options) => new SchedulingQueue(modules, options),
      },
      { engine, tieBreak: 'upstream', percentageOfNodesToScore: 100, featureGates },
    );
    for (const [list, kind] of Object.entries({ ...OBJECT_KINDS, nodes: 'Node', pods: 'Pod' } as const)) {
      for (const object of objects[list as keyof typeof objects] ?? []) this.#add(kind, object as Pod);
    }
    this.#scheduler.queue.run();
  }

  run(step: GangStep): GangOutcome {
    this.#attempts = [];
    for (const name of step.failBind ?? []) this.#api.failBind.add(name);
    for (const write of step.writes ?? []) {
      this.#pass(1);
      this.#write(write);
    }
    this.#attemptActive();
    for (let i = 0; i < (step.schedule ?? 0); i++) this.#attempt();
    for (let i = 0; i < (step.advance ?? 0); i++) {
      this.#pass(1000);
      this.#attemptActive();
    }
    this.#flush({ background: true });
    const t = secondsSinceStart(this.#loop.nowMillis());
    const state = gangState(this.#objects, this.#scheduler);
    // Without the gate, groups are not shown.
    const { podGroups: _hidden, ...others } = state;
    return {
      t,
      attempts: this.#attempts,
      state: this.#scheduler.profiles.environment.gates.GenericWorkload ? state : others,
    };
  }

  #add(kind: Kind, object: Pod): void {
    if (kind === 'Pod') this.#api.arrived(object.metadata?.name ?? '');
    this.#objects.write(kind, object);
    this.#objects.deliver();
  }

  #write({ op, kind, object, name = '' }: GangWrite): void {
    if (object !== undefined) this.#add(kind, object);
    else if (op === 'delete') this.#api.remove(name);
    else if (op === 'remove') {
      const known = this.#objects.get(kind, 'default', name);
      if (known !== undefined) this.#objects.remove(kind, known);
    } else if (op === 'removeTerminating') {
      for (const pod of [...this.#objects.stored<Pod>('Pod')]) {
        if (pod.metadata?.deletionTimestamp) this.#objects.remove('Pod', pod);
        this.#objects.deliver();
      }
    }
    this.#objects.deliver();
  }

  #attemptActive(): void {
    for (let i = 0; this.#hasActive(); i++) {
      if (i > MOST_ATTEMPTS) throw new Error('the active queue never gets empty');
      this.#attempt();
    }
  }

  #hasActive(): boolean {
    for (const { place } of this.#scheduler.queue.pendingPods()) if (place === 'active') return true;
    return false;
  }

  #attempt(): void {
    const canPop = [...this.#scheduler.queue.pendingPods()].some(
      ({ place }) => place === 'active' || place === 'backoff',
    );
    if (!canPop) return;
    this.#pass(1);
    const t = secondsSinceStart(this.#loop.nowMillis());
    const attempt = this.#scheduler.attempt();
    if (attempt === null) return;
    if (attempt.outcome === 'assumed') this.#tried(attempt.queued.podInfo.pod, attempt.node.name);
    if (attempt.outcome === 'failed') this.#tried(attempt.queued.podInfo.pod, '');
    this.#scheduler.conclude(attempt);
    this.#pass(0);
    this.#flush({ t });
    this.#pass(100);
  }

  /** Ends an attempt, or what happened outside of one. */
  #flush(fields: { readonly t: number } | { readonly background: true }): void {
    const events = this.#events.sort((a, b) => compare(String(a['object']), String(b['object'])));
    const api = sortedCalls(this.#calls);
    const tries = this.#tries;
    this.#events = [];
    this.#calls = [];
    this.#tries = [];
    if ('background' in fields && events.length === 0 && api.length === 0) return;
    this.#attempts.push({
      ...fields,
      ...(tries.length > 0 && { tries }),
      ...(events.length > 0 && { events }),
      ...(api.length > 0 && { api }),
    });
  }

  #pass(millis: number): void {
    this.#loop.runUntil(this.#loop.nowMillis() + millis);
  }

  #tried({ metadata }: Pod, nodeName: string): void {
    this.#tries.push(`${metadata?.name} ${nodeName || '-'}`);
  }

  #recorder(): SchedulingEventRecorder {
    return {
      event: ({ metadata }, _related, type, reason, _action, note) => {
        this.#events.push({ object: metadata?.name, type, reason, note });
      },
    };
  }
}

/** The calls by resource and name. Those about one pod stay in order, those about claims are sorted by their text. */
function sortedCalls(calls: readonly Fields[]): Fields[] {
  const keyOf = (call: Fields): string => {
    const key = `${call['resource']}/${call['name']}`;
    return call['resource'] === 'resourceclaims' ? `${key} ${JSON.stringify(sorted(call))}` : key;
  };
  return calls.map((call) => sorted(call) as Fields).sort((a, b) => compare(keyOf(a), keyOf(b)));
}

/** The value with the members of all objects sorted by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => compare(a, b)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

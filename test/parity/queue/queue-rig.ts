import { DEFAULT_SCHEDULER_NAME } from '../../../src/api/defaults.ts';
import type { Kind } from '../../../src/api/kinds.ts';
import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { CycleRecord } from '../../../src/core/decision/filter-nodes.ts';
import type { EngineName } from '../../../src/engine/cycle/engine.ts';
import type { NodeToStatus } from '../../../src/framework/post-filter.ts';
import type { DrawTie } from '../../../src/framework/tie-break.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import type { Attempt } from '../../../src/scheduler/attempt.ts';
import type { Failure } from '../../../src/scheduler/failures.ts';
import type { SchedulingEventRecorder } from '../../../src/scheduler/scheduler-api.ts';
import { StoreScheduler } from '../../../src/scheduler/store-scheduler.ts';
import { START_MILLIS, secondsSinceStart } from '../control/control-case.ts';
import { observedState } from './observed-state.ts';
import { PermitClock } from './permit-clock.ts';
import { displayName, type LogEntry, type QueueCase, type QueueStep } from './queue-case.ts';
import { recordedConfiguration, recordedPlugins } from './recorded-profiles.ts';
import { RecordingQueue } from './recording-queue.ts';
import { StubApi } from './stub-api.ts';
import { StubFaults } from './stub-faults.ts';
import { StubInformers } from './stub-informers.ts';
import { StubObjects } from './stub-objects.ts';

export interface StepOutcome {
  readonly t: number;
  readonly log: readonly LogEntry[];
  readonly state: Readonly<Record<string, unknown>>;
}

type Assumed = Extract<Attempt, { outcome: 'assumed' }>;
type Failed = Extract<Attempt, { outcome: 'failed' }>;

/** The scheduler between a stub API server and a clock that only the recorded steps move. */
export class QueueRig {
  readonly #loop = new VirtualEventLoop(START_MILLIS);
  readonly #permitClock = new PermitClock(this.#loop);
  readonly #objects: StubObjects;
  readonly #faults = new StubFaults();
  readonly #api: StubApi;
  readonly #scheduler: StoreScheduler;
  readonly #queue: RecordingQueue;
  #log: LogEntry[] = [];
  /** What was held back, by pod name. */
  readonly #held = {
    failure: new Map<string, Failed>(),
    binding: new Map<string, Assumed>(),
    preemption: new Map<string, Failed>(),
  };

  constructor(recorded: Pick<QueueCase, 'config' | 'steps'>, engine: EngineName = 'reference') {
    const { config = {} } = recorded;
    const log = (entry: LogEntry): void => {
      this.#log.push(entry);
    };
    this.#objects = new StubObjects(log);
    this.#api = new StubApi(this.#objects, this.#faults, log, config.eagerWatch ?? false);
    let queue: RecordingQueue | null = null;
    this.#scheduler = new StoreScheduler(
      {
        api: this.#api,
        informers: new StubInformers(this.#objects),
        loop: this.#permitClock,
        recorder: recorderOf(log),
        reportError: () => {},
        observer: {
          preemptionStarted: (...started) => this.#logPreemption(...started),
          bindingFailed: ({ podInfo }, failure) => this.#logFailed(podInfo.pod, failure),
          decided: (_queued, { result, filtered }) => {
            if (result.status === 'scheduled') this.#logScored(filtered as CycleRecord, config.realTies ?? false);
          },
        },
        makePlugins: recordedPlugins(recorded, log),
        draw: smallestName,
        newQueue: (modules, options) => {
          queue = new RecordingQueue({ ...modules, loop: this.#loop }, options, log);
          return queue;
        },
      },
      { engine, tieBreak: config.realTies ? 'upstream' : 'random', configuration: recordedConfiguration(config) },
    );
    if (queue === null) throw new Error('no queue was made');
    this.#queue = queue;
    this.#queue.run();
  }

  run(step: QueueStep): StepOutcome {
    this.#log = [];
    const millis = step.op === 'advance' ? Math.round((step.seconds ?? 0) * 1000) : 1;
    this.#loop.runUntil(this.#loop.nowMillis() + millis);
    this.#step(step);
    return {
      t: secondsSinceStart(this.#loop.nowMillis()),
      log: this.#log,
      state: observedState(this.#objects, this.#scheduler, this.#queue),
    };
  }

  #step(step: QueueStep): void {
    const { op, name = '' } = step;
    switch (op) {
      case 'add':
      case 'update':
        this.#objects.write(step.kind as Kind, step.object as KubernetesObject);
        this.#objects.deliver();
        return;
      case 'delete':
        this.#delete(step.kind as Kind, name);
        this.#objects.deliver();
        return;
      case 'schedule':
        this.#schedule(step.hold ?? []);
        return;
      case 'report':
        this.#continue(this.#held.failure, name, (failed) => this.#report(failed));
        return;
      case 'bind':
        this.#continue(this.#held.binding, name, (assumed) => this.#bind(assumed));
        return;
      case 'preempt':
        this.#continue(this.#held.preemption, name, (failed) => this.#preempt(failed));
        return;
      case 'activate':
        this.#queue.activate((step.pods ?? []).flatMap((pod) => this.#pod(pod) ?? []));
        return;
      case 'fault':
        if (step.fault !== undefined) this.#faults.add(step.fault);
        return;
      case 'allow':
      case 'reject':
        this.#decide(op, step);
        return;
      case 'holdWatch':
      case 'releaseWatch':
        this.#objects.isHeld = op === 'holdWatch';
        this.#objects.deliver();
        return;
      case 'requeueAssumed': {
        const pod = this.#pod(name);
        if (pod !== undefined) this.#queue.add(pod);
        return;
      }
      case 'advance':
        return;
      default:
        throw new Error(`nobody knows the step ${op}`);
    }
  }

  /** Upstream's plugin starts it before it answers. */
  #logPreemption(preemptor: Pod, node: string, victims: readonly Pod[]): void {
    const answer = this.#log.at(-1)?.['point'] === 'PostFilter' ? this.#log.splice(-1) : [];
    const names = victims.map((victim) => displayName(victim));
    this.#log.push({ k: 'preemptionStarted', pod: displayName(preemptor), node, victims: names }, ...answer);
  }

  /** Logs the totals; nothing is scored when there is no choice. */
  #logScored(cycle: CycleRecord, hasTies: boolean): void {
    const nodes = cycle.feasibleNodes();
    if (nodes.length < 2) return;
    const totals = nodes.map((node) => cycle.total(node));
    const names = nodes.map(({ name }) => name);
    const most = Math.max(...totals);
    if (hasTies) this.#log.push({ k: 'scored', nodes: names, totals });
    else {
      const best = names.filter((_, i) => totals[i] === most).sort();
      this.#log.push({ k: 'scored', feasible: nodes.length, best });
    }
  }

  #delete(kind: Kind, name: string): void {
    const [namespace, ownName] = splitName(name);
    const object = this.#objects.get(kind, namespace, ownName);
    if (object !== undefined) this.#objects.remove(kind, object);
  }

  #pod(name: string): Pod | undefined {
    return this.#objects.get<Pod>('Pod', ...splitName(name));
  }

  #schedule(hold: readonly string[]): void {
    const attempt = this.#scheduler.attempt();
    if (attempt?.outcome === 'failed') {
      const { queued, eviction } = attempt;
      const name = displayName(queued.podInfo.pod);
      this.#logFailed(queued.podInfo.pod, attempt.failure);
      if (hold.includes('failure')) this.#held.failure.set(name, attempt);
      else this.#report(attempt);
      this.#objects.deliver();
      if (eviction === null) return;
      if (hold.includes('preemption')) this.#held.preemption.set(name, attempt);
      else this.#preempt(attempt);
    } else if (attempt?.outcome === 'assumed') {
      const { pod } = attempt.queued.podInfo;
      const name = displayName(pod);
      this.#log.push({ k: 'assumed', pod: name, node: attempt.node.name });
      this.#objects.deliver();
      if (this.#isWaiting(attempt) || hold.includes('binding')) this.#held.binding.set(name, attempt);
      else this.#bind(attempt);
    }
    this.#objects.deliver();
  }

  #logFailed(pod: Pod, failure: Failure): void {
    const { code, message, unschedulablePlugins, pendingPlugins, nomination, statuses } = failure;
    const isRejected = code === 'Unschedulable' || code === 'UnschedulableAndUnresolvable' || code === 'Pending';
    this.#log.push({
      k: 'failed',
      pod: displayName(pod),
      outcome: isRejected ? 'unschedulable' : 'error',
      code,
      message,
      ...(unschedulablePlugins.size > 0 && { unschedulablePlugins: [...unschedulablePlugins].sort() }),
      ...(pendingPlugins.size > 0 && { pendingPlugins: [...pendingPlugins].sort() }),
      ...(statuses !== null && this.#nodeStatus(statuses, message)),
      nominating: nomination === null ? 'keep' : { override: nomination.nodeName },
    });
  }

  /** The statuses by node; a pod that PreFilter rejected has none. */
  #nodeStatus(statuses: Pick<NodeToStatus, 'statusOf'>, message: string): object {
    const entries = this.#scheduler.profiles.cluster.nodeInfos().flatMap(({ name }) => {
      const status = statuses.statusOf(name);
      // Nodes that no plugin looked at were left out by PreFilter.
      return status === null || status.plugin === '' ? [] : [[name, status] as const];
    });
    const isByPreFilter = entries.some(([, { reasons }]) => message.includes(` available: ${reasons.join(', ')}`));
    return isByPreFilter || entries.length === 0 ? {} : { nodeStatus: Object.fromEntries(entries) };
  }

  #report(attempt: Failed): void {
    this.#scheduler.reportFailure(attempt);
  }

  #bind(attempt: Assumed): void {
    this.#log.push({ k: 'bindingCycle', pod: displayName(attempt.queued.podInfo.pod) });
    this.#scheduler.bind(attempt);
    if (this.#isWaiting(attempt)) this.#permitClock.endNext();
  }

  #isWaiting({ queued }: Assumed): boolean {
    return this.#scheduler.waitingPods.get(queued.podInfo.uid) !== undefined;
  }

  #preempt(attempt: Failed): void {
    const pod = displayName(attempt.queued.podInfo.pod);
    this.#log.push({ k: 'preemptionRuns', pod });
    this.#scheduler.evict(attempt);
    this.#log.push({ k: 'preemptionFinished', pod });
  }

  #continue<T>(held: Map<string, T>, name: string, run: (attempt: T) => void): void {
    const attempt = held.get(name);
    held.delete(name);
    if (attempt === undefined) this.#log.push({ k: 'nothing' });
    else run(attempt);
    this.#objects.deliver();
  }

  #decide(op: 'allow' | 'reject', { name = '', plugin = '', message = '' }: QueueStep): void {
    const waiting = this.#scheduler.waitingPods.get(this.#pod(name)?.metadata?.uid ?? '');
    if (waiting === undefined) this.#log.push({ k: 'notWaiting', pod: name });
    else if (op === 'allow') waiting.allow(plugin);
    else waiting.reject(plugin, message);
    this.#objects.deliver();
  }
}

function recorderOf(log: (entry: LogEntry) => void): SchedulingEventRecorder {
  return {
    event(regarding, related, type, reason, action, note) {
      const object = displayName(regarding);
      const { schedulerName } = (related ?? regarding).spec ?? {};
      log({
        ...{ k: 'event', object, type, reason, action, note },
        ...(related !== null && { related: displayName(related) }),
        ...(schedulerName !== DEFAULT_SCHEDULER_NAME && { reportingController: schedulerName }),
      });
    },
  };
}

function splitName(name: string): [namespace: string, name: string] {
  const slash = name.indexOf('/');
  return slash < 0 ? ['default', name] : [name.slice(0, slash), name.slice(slash + 1)];
}

/** What the recorded scheduler takes of equally good nodes, but where ties are its subject. */
const smallestName: DrawTie = (ties, nameOf) => {
  if (nameOf === undefined) return 0;
  const names = Array.from({ length: ties }, (_, rank) => nameOf(rank));
  return names.reduce((best, name, rank) => (name < (names[best] ?? '') ? rank : best), 0);
};

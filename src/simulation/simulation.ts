import type { Pod } from '../api/pod.ts';
import { Cluster } from '../cluster/cluster.ts';
import { VirtualEventLoop } from '../lib/event-loop.ts';
import { keyedPrng } from '../lib/keyed-prng.ts';
import { type Logger, NO_LOGGER } from '../lib/logger.ts';
import type { ShardingOptions } from '../scheduler/shards/scheduler-shards.ts';
import type { StoreSchedulerOptions } from '../scheduler/store-scheduler.ts';
import { ifFound } from '../store/objects/api-error.ts';
import { ErrorGroups } from './error-groups.ts';
import type { PlannedFault } from './faults/fault-file.ts';
import { FaultInjector } from './faults/fault-injector.ts';
import { FaultyClient } from './faults/faulty-client.ts';
import { RunObservation } from './observation/run-observation.ts';
import { detectQuiet } from './quiet-detector.ts';
import { ClusterStatistics } from './statistics/cluster-statistics.ts';
import { openCount, openPods } from './statistics/open-pods.ts';
import { Submissions } from './submissions.ts';
import { type SimulationEnd, type SimulationSummary, summaryOf } from './summary.ts';
import type { ClusterTrace } from './trace/cluster-trace.ts';
import { comparePlacements } from './trace/placements.ts';
import { type PodAttempts, type RecordedAttempts, TracePlayer } from './trace/trace-player.ts';
import type { ArrivalSource } from './workload/arrival.ts';
import { createObject } from './workload/create-object.ts';
import type { PlannedChange } from './workload/planned-change.ts';
import type { SubmittedObject } from './workload/submitted-object.ts';

/** Everything that a simulation depends on. */
export interface SimulationInput {
  readonly seed: number;
  /** The objects that exist from the beginning, in the order of creation. */
  readonly objects: readonly SubmittedObject[];
  /** The sources of objects that arrive later. */
  readonly sources: readonly ArrivalSource[];
  /** What users do to objects that are there. */
  readonly changes?: readonly PlannedChange[] | undefined;
  readonly faults: readonly PlannedFault[];
  /** Whether controllers make pods for workloads; absent: they do. */
  readonly expands?: boolean | undefined;
  /** The options of the scheduler. Engine and number of threads do not change the log. */
  readonly scheduler: StoreSchedulerOptions;
  /** How several schedulers share the cluster; absent: there is one, whose decisions take no time. */
  readonly sharding?: ShardingOptions | undefined;
  /** How long the simulation runs; absent: until nothing happens any more. */
  readonly untilMillis: number | undefined;
  /** What happened in a real cluster: it is played in the place of controllers and node agents, until it ends. */
  readonly trace?: ClusterTrace | undefined;
  /** When pods of the trace are tried; absent: as recorded. Several schedulers always have queues. */
  readonly attempts?: PodAttempts | undefined;
}

/** All controllers but those that make pods. */
const WITHOUT_WORKLOADS: readonly string[] = [
  ...['*', '-job-controller', '-cronjob-controller', '-deployment-controller', '-replicaset-controller'],
  ...['-statefulset-controller', '-daemonset-controller'],
];

/** When the clocks of simulations begin that play no trace. */
const START_MILLIS = Date.UTC(2026, 0, 1);

/**
 * A whole cluster on a virtual clock: its users, its control plane, its nodes, and injected faults. The same input
 * gives the same event log, line by line.
 *
 * ```
 *   users: manifests, workload ──▶ store ◀──▶ scheduler, controllers, node agents
 *                                    │             ▲
 *                    statistics, log ◀┘             └── faults
 * ```
 */
export class Simulation {
  readonly cluster: Cluster;
  readonly statistics: ClusterStatistics;
  readonly #input: SimulationInput;
  readonly #loop: VirtualEventLoop;
  readonly #submissions: Submissions;
  readonly #injector: FaultInjector | undefined;
  readonly #player: TracePlayer | undefined;
  readonly #logger: Logger;
  #controllerBusyMillis = 0;
  readonly #errors = new ErrorGroups();
  #reason = '';
  #observation: RunObservation | undefined;
  /** How many tasks of the event loop were run. */
  taskCount = 0;
  /** When the clock of the simulation began, since the Unix epoch. */
  readonly startMillis: number;
  /** Why the simulation has ended; undefined while it runs. */
  end: SimulationEnd | undefined;

  /**
   * `onLogLine` receives every line of the event log; what is written to `logger` changes nothing of it.
   *
   * @throws CodedError when the configuration cannot be used
   */
  constructor(input: SimulationInput, onLogLine?: (line: string) => void, logger: Logger = NO_LOGGER) {
    const { seed, faults, scheduler, sharding, trace, attempts = 'recorded' } = input;
    this.startMillis = trace?.startMillis ?? START_MILLIS;
    const loop = new VirtualEventLoop(this.startMillis);
    this.#loop = loop;
    this.#input = input;
    this.#logger = logger.named('simulation', loop);
    let faultyClient: FaultyClient | undefined;
    this.cluster = new Cluster({
      ...{ seed, loop, scheduler, sharding, logger },
      ...(trace === undefined ? { nodeAgents: {} } : { controllers: [] }),
      ...(trace === undefined && !this.#expands && { controllers: WITHOUT_WORKLOADS }),
      ...(trace !== undefined && { isHeld: (uid: string) => this.#player?.isHeld(uid) ?? false }),
      restartableControllers: faults.some(({ kind }) => kind === 'controllerRestart'),
      controllerBusyMillis: () => this.#controllerBusyMillis,
      onError: (error, activity) => this.#errors.add(error, activity),
      ...(onLogLine !== undefined && { onLogLine }),
      clientOf: (store) => {
        if (faults.length === 0) return store;
        faultyClient = new FaultyClient({ client: store, loop, prng: keyedPrng(seed, 'faulty client') });
        return faultyClient;
      },
    });
    const { cluster } = this;
    const { store, reportError } = cluster;
    this.statistics = new ClusterStatistics({ client: store, clock: loop });
    this.#submissions = new Submissions({ client: store, loop, reportError });
    if (faultyClient !== undefined) this.#injector = this.#newInjector(faultyClient);
    const isOurs = (pod: Pod): boolean => cluster.scheduler?.profiles.of(pod) !== undefined;
    if (trace !== undefined) {
      const isRecorded = attempts === 'recorded' && sharding === undefined;
      const modules = { store, loop, isOurs, attempts: isRecorded ? this.#recordedAttempts() : null };
      this.#player = new TracePlayer(trace, modules);
    }
  }

  #recordedAttempts(): RecordedAttempts {
    const { scheduler } = this.cluster;
    return {
      tryNow: (uid) => void scheduler?.scheduleOutOfTurn(uid),
      release: (pod) => scheduler?.queue.activate([pod]),
    };
  }

  get #expands(): boolean {
    return this.#input.expands ?? true;
  }

  /** How much simulated time has passed. */
  get elapsedMillis(): number {
    return this.#loop.nowMillis() - this.startMillis;
  }

  /** The progress from 0 to 1: by time if the end is known, otherwise by pods. */
  get done(): number {
    const { sources, changes = [], faults, trace } = this.#input;
    const untilMillis = this.#input.untilMillis ?? (trace && trace.endMillis - trace.startMillis);
    const { created, succeeded, failed, deleted } = this.statistics.pods.totals;
    const ends = [...sources.map(({ endMillis }) => endMillis), ...changes.map(({ atMillis }) => atMillis)];
    const plannedMillis = untilMillis ?? Math.max(0, ...ends);
    if (plannedMillis > 0 || faults.length > 0) return Math.min(1, this.elapsedMillis / Math.max(plannedMillis, 1));
    return created === 0 ? 0 : Math.min(1, Math.max(succeeded + failed, deleted) / created);
  }

  /** Also notes, from the start on, what a report shows; the event log stays the same. @internal */
  observe(): RunObservation {
    const { store, scheduler, shards } = this.cluster;
    const schedulers = shards?.schedulers ?? (scheduler === undefined ? [] : [scheduler]);
    this.#observation = new RunObservation({
      ...{ client: store, loop: this.#loop },
      queuedPods: () => schedulers.flatMap(({ queue }) => [...queue.pendingPods()]),
      explain: (pod) => scheduler?.explain(pod),
    });
    return this.#observation;
  }

  start(): void {
    const { cluster } = this;
    const { objects, sources, changes = [], faults, seed, untilMillis, trace } = this.#input;
    this.#logger.info('begins', { seed, objects: objects.length, sources: sources.length, faults: faults.length });
    this.statistics.start();
    this.#observation?.start();
    cluster.start();
    for (const object of objects) createObject(cluster.store, object);
    this.#submissions.start(sources, seed);
    this.#submissions.plan(changes);
    this.#injector?.start(faults, seed);
    this.#player?.start();
    if (trace !== undefined) this.#loop.after(trace.endMillis - trace.startMillis, () => this.#endTrace());
    else if (untilMillis === undefined) this.#endWhenQuiet();
    else this.#loop.after(untilMillis, () => this.#finish('until', 'the time of --until is over'));
  }

  /** Runs at most this many tasks. The result does not depend on real time, so parts may be of any size. */
  run(taskLimit: number): void {
    for (let i = 0; i < taskLimit && this.end === undefined; i++) {
      this.taskCount++;
      this.#loop.step();
    }
  }

  /** Ends the simulation early. */
  interrupt(): void {
    this.#finish('interrupted', 'it was interrupted');
  }

  summary(): SimulationSummary {
    return summaryOf({
      ...{ cluster: this.cluster, statistics: this.statistics, seed: this.#input.seed },
      end: this.end ?? 'interrupted',
      startMillis: this.startMillis,
      clockMillis: this.#loop.nowMillis(),
      elapsedMillis: this.simulatedMillis,
      faults: this.#injector?.counts ?? {},
      missedFaults: this.#injector?.missed ?? {},
      errors: this.#errors,
      reason: this.#reason,
      expands: this.#expands,
      placements: this.#player && comparePlacements(this.#player.pods.decided()),
    });
  }

  /** How much time was simulated; the quiet time after the last change is not counted. */
  get simulatedMillis(): number {
    const isQuiet = this.end === 'settled' || this.end === 'stuck';
    return isQuiet ? this.statistics.lastChangeMillis - this.startMillis : this.elapsedMillis;
  }

  /** Ends when the last moment of the trace, and what follows from it at once, is over. */
  #endTrace(): void {
    const isBusy = !this.#player?.isDone || this.#loop.nextMillis <= this.#loop.nowMillis();
    if (isBusy) this.#loop.after(1, () => this.#endTrace());
    else this.#finish('until', 'the recording is over');
  }

  #finish(end: SimulationEnd, reason: string): void {
    if (this.end !== undefined) return;
    this.end = end;
    this.#reason = reason;
    this.#logger.info('ends', { end, tasks: this.taskCount });
    this.cluster.end();
    this.statistics.stop();
    this.#player?.stop();
    this.#observation?.stop();
  }

  #endWhenQuiet(): void {
    const { pods, jobs } = this.statistics;
    const hasPlans = (): boolean => !this.#submissions.isDone || !(this.#injector?.isDone ?? true);
    detectQuiet({
      loop: this.#loop,
      lastChangeMillis: () => this.statistics.lastChangeMillis,
      outlook: () => {
        if (hasPlans()) return 'planned';
        return pods.endingCount + jobs.deadlineCount > 0 ? 'expected' : 'nothing';
      },
      onQuiet: (quietText) => {
        const open = openCount(openPods(this.cluster.store, this.#expands));
        const what = [
          [open, 'pods that do not run'],
          [pods.endingCount, 'pods that do not end'],
          [this.#expands ? jobs.activeCount : 0, 'Jobs that are not finished'],
        ] as const;
        const left = what.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
        const reason = `nothing has changed for ${quietText} after that`;
        this.#finish(left.length > 0 ? 'stuck' : 'settled', [reason, ...left].join(', '));
      },
    });
  }

  #newInjector(client: FaultyClient): FaultInjector {
    const { cluster } = this;
    return new FaultInjector({
      targets: {
        client,
        nodes: cluster.nodeAgents as NonNullable<Cluster['nodeAgents']>,
        labelsOf: (name) => ifFound(() => cluster.store.get('nodes', '', name))?.metadata?.labels,
        restartControllers: () => cluster.restartControllers(),
        slowControllers: (millis) => {
          this.#controllerBusyMillis += millis;
        },
        endWorker: () => cluster.scheduler?.loseWorker(),
        sleep: (millis) => this.#loop.sleep(millis),
      },
      loop: this.#loop,
      note: (text) => {
        cluster.log.noted(text);
        this.#observation?.noteFault(text);
        this.#logger.info('a fault', { fault: text });
      },
    });
  }
}

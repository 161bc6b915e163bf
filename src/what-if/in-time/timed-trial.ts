import { CodedError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { Simulation, type SimulationInput } from '../../simulation/simulation.ts';
import type { SimulationSummary } from '../../simulation/summary.ts';
import type { PlannedChange } from '../../simulation/workload/planned-change.ts';
import type { ScaleTarget } from '../scaling.ts';
import { Drainer, type TimedDrain } from './drainer.ts';
import type { FoundChange } from './found-change.ts';
import { type PodsWithoutNode, Readiness, type WorkloadReadiness } from './readiness.ts';

/** When the change comes: late enough that everything that the input has is running. */
export const CHANGE_MILLIS = 10 * 60_000;

/** What happens to a cluster in time. */
export interface TimedQuestion {
  /** Nodes that crash for good, all at the same time. */
  readonly lose: readonly string[];
  /** Nodes that are drained, in this order. */
  readonly drain: readonly string[];
  readonly scale: ScaleTarget | undefined;
  /** What a search has found. */
  readonly found: FoundChange;
  /** Whether pods without a controller are evicted, too, and made again. */
  readonly replacesBare: boolean;
}

/** What became of a cluster. */
export interface TimedOutcome {
  readonly summary: SimulationSummary;
  readonly drained: readonly TimedDrain[];
  readonly workloads: readonly WorkloadReadiness[];
  readonly withoutNode: PodsWithoutNode;
}

/** A simulated cluster to which something happens after ten minutes. */
export class TimedTrial {
  readonly simulation: Simulation;
  readonly #drainer: Drainer;
  readonly #readiness: Readiness;

  /** @param forMillis how long the cluster runs after the change */
  constructor(input: SimulationInput, question: TimedQuestion, forMillis: number, logger: Logger) {
    this.simulation = new Simulation(changed(input, question, forMillis), undefined, logger);
    const { cluster, statistics } = this.simulation;
    const { loop, store: client, nodeAgents, reportError } = cluster;
    this.#drainer = new Drainer({ client, loop, reportError, replacesBare: question.replacesBare });
    this.#readiness = new Readiness({
      ...{ client, loop, lastChangeMillis: () => statistics.lastChangeMillis },
      runningNodes: () => new Set((nodeAgents?.nodeNames ?? []).filter((name) => nodeAgents?.isRunning(name))),
    });
    // This task is planned before all others of its time, so it sees the cluster as it was.
    loop.after(CHANGE_MILLIS, () => {
      this.#readiness.start();
      this.#drainer.start([
        { nodes: question.drain, isRemoval: false },
        ...question.found.remove.map((nodes) => ({ nodes, isRemoval: true })),
      ]);
    });
  }

  /** What became of the cluster, when the simulation has ended. */
  outcome(): TimedOutcome {
    return {
      summary: this.simulation.summary(),
      drained: this.#drainer.drains,
      workloads: this.#readiness.concerned(),
      withoutNode: this.#readiness.withoutNode,
    };
  }
}

function changed(input: SimulationInput, { lose, scale, found }: TimedQuestion, forMillis: number): SimulationInput {
  const faults = lose.map((node) => {
    return { kind: 'nodeCrash', settings: { node }, times: { atMillis: [CHANGE_MILLIS] }, length: undefined };
  });
  return {
    ...input,
    faults: [...input.faults, ...faults],
    changes: [...(input.changes ?? []), ...(scale === undefined ? [] : [scaled(scale)]), ...created(found)],
    untilMillis: CHANGE_MILLIS + forMillis,
  };
}

function scaled({ resource, kind, namespace, name, replicas }: ScaleTarget): PlannedChange {
  if (resource === null) throw new CodedError('Usage', `--scale: no controller of a simulation runs a ${kind}`);
  const object = { kind, metadata: { namespace, name }, spec: { replicas } };
  return { resource, object, verb: 'patch', atMillis: CHANGE_MILLIS, place: '--scale' };
}

function created({ create }: FoundChange): readonly PlannedChange[] {
  return create.map(({ resource, object }): PlannedChange => {
    return { resource, object, verb: 'apply', atMillis: CHANGE_MILLIS, place: '--for' };
  });
}

import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import { decisionHash } from '../benchmark/decision-hash.ts';
import { placeAllOf } from '../benchmark/place-all.ts';
import { syntheticCluster } from '../benchmark/suite.ts';
import { checkConfiguration } from '../caller/load-configuration.ts';
import type { SchedulerConfiguration } from '../config/configuration.ts';
import { Scheduler } from '../core/scheduler.ts';
import type { EngineName } from '../engine/cycle/engine.ts';
import { assert } from '../lib/assert.ts';
import type { ClusterManifest } from '../manifests/cluster-manifest.ts';
import { loadCluster } from '../manifests/load-cluster.ts';
import { selectPods } from '../manifests/pod-selection.ts';
import type { SweepParameters, SweepRun } from './sweep-plan.ts';
import { type Utilisation, utilisation } from './utilisation.ts';

/** The parameters that all simulations of a sweep share. It is plain data, since it is sent to other threads. */
export interface SimulationSpec extends Omit<SweepParameters, 'seeds' | 'configs'> {
  readonly engine: EngineName;
  readonly index: boolean;
  /** The texts of valid KubeSchedulerConfigurations. */
  readonly configurations: readonly string[];
}

/** The result of a simulation: the same for the same seed, on every machine. */
export interface SimulationResult {
  readonly scheduled: number;
  readonly unschedulable: number;
  /** The number of pods that were evicted by others. */
  readonly preempted: number;
  readonly nodesInUse: number;
  readonly utilisation: Utilisation;
  readonly decisionHash: string;
}

/** Builds a cluster, places its pods, and summarises the result. */
export class Simulator {
  readonly #spec: SimulationSpec;
  readonly #configurations: readonly SchedulerConfiguration[];

  constructor(spec: SimulationSpec) {
    this.#spec = spec;
    this.#configurations = spec.configurations.map((text) => {
      const loaded = checkConfiguration(text);
      assert(loaded.ok, 'a configuration was loaded before');
      return loaded.configuration;
    });
  }

  /** Runs one simulation. The seed is used both for the cluster and for ties. */
  run({ seed, config }: Pick<SweepRun, 'seed' | 'config'>): SimulationResult {
    const { kind, nodes, pods, engine, index, tieBreak, percentageOfNodesToScore } = this.#spec;
    const configuration = config === null ? undefined : this.#configurations[config];
    const cluster = syntheticCluster(kind, nodes, pods, seed);
    const scheduler = new Scheduler({
      ...{ engine, index, tieBreak, seed },
      // Other simulations use the other cores, and synthetic objects need no validation.
      ...{ workers: 1, validate: false },
      ...(percentageOfNodesToScore !== null && { percentageOfNodesToScore }),
      ...(configuration !== undefined && { configuration }),
    });
    const selection = selectPods(cluster.pods);
    loadCluster(scheduler, cluster, selection);
    const outcome = placeAllOf([...selection.bound, ...selection.pending]).placeAll(scheduler, selection.pending);
    const decisions = [...outcome.decisions()];
    return {
      scheduled: outcome.scheduled,
      unschedulable: selection.pending.length - outcome.scheduled,
      ...endState(cluster, selection, decisions),
      decisionHash: decisionHash(decisions),
    };
  }
}

/** `decisions`: the decisions about the pending pods, as place-all.ts writes them. */
function endState(
  { nodes }: ClusterManifest,
  { bound, pending }: { readonly bound: readonly Pod[]; readonly pending: readonly Pod[] },
  decisions: readonly string[],
): Pick<SimulationResult, 'preempted' | 'nodesInUse' | 'utilisation'> {
  const placed = new Map<string, { readonly pod: Pod; readonly node: string }>();
  for (const pod of bound) placed.set(podKey(pod), { pod, node: pod.spec?.nodeName ?? '' });
  let preempted = 0;
  for (const [index, decision] of decisions.entries()) {
    const [node = '', ...victims] = decision.split(' ');
    for (const victim of victims) placed.delete(victim);
    preempted += victims.length;
    const pod = pending[index] as Pod;
    if (node !== '') placed.set(podKey(pod), { pod, node });
  }
  const running = [...placed.values()];
  return {
    preempted,
    nodesInUse: new Set(running.map(({ node }) => node)).size,
    utilisation: utilisation(
      nodes,
      running.map(({ pod }) => pod),
    ),
  };
}

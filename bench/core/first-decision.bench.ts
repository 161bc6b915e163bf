import type { PodSpec } from '../../src/api/pod.ts';
import { container, sharedSpec, syntheticPod } from '../../src/benchmark/synthetic/basic.ts';
import { heteroCluster } from '../../src/benchmark/synthetic/hetero.ts';
import { Scheduler } from '../../src/core/scheduler.ts';
import { RealClock } from '../../src/lib/clock.ts';

export interface FirstDecisionOptions {
  readonly nodes: number;
  readonly workers: number;
  /** New signatures of each kind. */
  readonly rounds: number;
}

/** How long a pod takes whose signature the scheduler has not seen before. */
export interface FirstDecision {
  readonly signature: string;
  /** Medians. */
  readonly firstMillis: number;
  readonly secondMillis: number;
  /** Where the pods went: the same for any number of workers. */
  readonly result: string;
}

const CLOCK = new RealClock();

/** What is new in a signature, from what the index can use of others to what it has to ask about every node. */
const SIGNATURES: Readonly<Record<string, (round: number) => PodSpec>> = {
  'other requests': (round) => ({ containers: [container(`${100 + round}m`, '500Mi')] }),
  'other requests, a preference': (round) => ({
    containers: [container(`${100 + round}m`, '600Mi')],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [preferred('pool-b')] } },
  }),
  'another toleration, a known label': (round) => ({
    containers: [container('100m', '700Mi')],
    nodeSelector: { pool: 'pool-a' },
    tolerations: [{ key: `team-${round}`, operator: 'Exists' }],
  }),
  'another label': (round) => {
    const expression = { key: `label-${round}`, operator: 'DoesNotExist' };
    const terms = { nodeSelectorTerms: [{ matchExpressions: [expression] }] };
    return {
      containers: [container('100m', '800Mi')],
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
    };
  },
};

/** The nodes of `hetero`, empty at first: each signature is placed twice. Ties are listed, as `schedule` does. */
export function firstDecisions({ nodes, workers, rounds }: FirstDecisionOptions): FirstDecision[] {
  place(newScheduler(Math.min(nodes, 2000), 1), Math.min(rounds, 200));
  return place(newScheduler(nodes, workers), rounds);
}

function newScheduler(nodes: number, workers: number): Scheduler {
  const scheduler = new Scheduler({ workers, validate: false });
  for (const node of heteroCluster(nodes, 0, 1).nodes) scheduler.addNode(node);
  return scheduler;
}

function place(scheduler: Scheduler, rounds: number): FirstDecision[] {
  let pods = 0;
  const timed = (spec: PodSpec, names: string[]): number => {
    const pod = syntheticPod(pods++, spec);
    const start = CLOCK.nowMillis();
    const result = scheduler.schedule(pod);
    const millis = CLOCK.nowMillis() - start;
    names.push(result.status === 'scheduled' ? result.node : result.status);
    return millis;
  };
  const decisions = Object.entries(SIGNATURES).map(([signature, specOf]) => {
    const [first, second, names] = [[] as number[], [] as number[], [] as string[]];
    for (let round = 0; round < rounds; round++) {
      const spec = sharedSpec(specOf(round));
      first.push(timed(spec, names));
      second.push(timed(spec, names));
    }
    return { signature, firstMillis: median(first), secondMillis: median(second), result: names.join() };
  });
  scheduler.close();
  return decisions;
}

function preferred(pool: string) {
  return { weight: 10, preference: { matchExpressions: [{ key: 'pool', operator: 'In', values: [pool] }] } };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

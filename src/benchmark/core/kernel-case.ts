import { defaultSchedulerConfiguration } from '../../caller/load-configuration.ts';
import { ColumnEngine } from '../../engine/columns/column-engine.ts';
import { RUN_LENGTH } from '../../engine/index/signature-index.ts';
import { PodEncoder } from '../../engine/signature/pod-encoder.ts';
import { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { Framework } from '../../framework/runtime/framework.ts';
import { ActiveTrace } from '../../framework/tracing/active-trace.ts';
import { assert } from '../../lib/assert.ts';
import type { Clock } from '../../lib/clock.ts';
import { percentile } from '../../lib/percentile.ts';
import { pluginsOf } from '../../plugins/make-plugins.ts';
import { InlineRunner } from '../../pool/inline-runner.ts';
import { basicCluster } from '../synthetic/basic.ts';

/**
 * Measures the kernels alone on the work of `basic`: the same nodes and pods, without the surrounding JavaScript. It
 * takes about a second.
 */
export type KernelCase = (clock: Clock) => KernelThroughput;

export interface KernelThroughput {
  readonly nodes: number;
  readonly podsPerSecond: number;
}

const NODES = 5000;
/** The number of full kernel calls in a repetition: 98,304 pods, of the 110 x 5,000 that fit. */
const CALLS = 24;
const REPETITIONS = 9;
/** The number of repetitions that do not count, because the kernel is still being compiled. */
const WARM_UP = 2;

/** Places pods on empty nodes in several repetitions, and takes the median. */
export const placeInKernel: KernelCase = (clock) => {
  const seconds: number[] = [];
  for (let repetition = 0; repetition < WARM_UP + REPETITIONS; repetition++) {
    const placeRun = emptyCluster();
    let millis = 0;
    for (let call = 0; call < CALLS; call++) millis += placeRun(clock);
    if (repetition >= WARM_UP) seconds.push(millis / 1000);
  }
  const median = percentile(
    seconds.sort((a, b) => a - b),
    50,
  );
  return { nodes: NODES, podsPerSecond: median > 0 ? (CALLS * RUN_LENGTH) / median : 0 };
};

/**
 * An engine with the nodes. The returned function places as many pods as one call takes, and returns the milliseconds.
 */
function emptyCluster(): (clock: Clock) => number {
  const { nodes, pods } = basicCluster(NODES, 1);
  const [profile] = defaultSchedulerConfiguration().profiles;
  const [pod] = pods;
  assert(profile !== undefined && pod !== undefined, 'there are a default profile and a pod');
  const cluster = new ClusterState((added) => encoder.encode(added));
  const framework = new Framework(pluginsOf(profile, cluster), new ActiveTrace());
  const encoder = new PodEncoder(framework);
  const engine = new ColumnEngine('simd', framework, cluster, true, (modules) => new InlineRunner(modules));
  for (const node of nodes) cluster.addNode(node);
  const signature = engine.signatureOf(cluster.pods.toSchedule(pod));
  return (clock) => {
    engine.index.begin();
    const signatureTotals = engine.totalsOf(signature);
    assert(signatureTotals !== null, 'the signature has totals');
    while (engine.index.enqueue(signatureTotals));
    const start = clock.nowMillis();
    const placed = engine.index.place();
    const end = clock.nowMillis();
    assert(placed === RUN_LENGTH, 'every pod of a call is placed');
    return end - start;
  };
}

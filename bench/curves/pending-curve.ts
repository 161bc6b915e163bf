import type { Pod } from '../../src/api/pod.ts';
import type { MemoryMeter } from '../../src/benchmark/memory-meter.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { PerfStack } from '../../src/perf/perf-stack.ts';

/** What a pod costs while so many others wait. */
export interface PendingPoint {
  readonly pods: number;
  /** The time to create a pod that fits nowhere, to attempt it, and to put it aside. */
  readonly microsToWait: number;
  /** The time to create and to place another pod meanwhile. */
  readonly microsBeside: number;
  /** The time to queue a waiting pod once more when a node changes, to place it and to bind it. */
  readonly microsToPlace: number;
  /** What store, informers and scheduler keep for a waiting pod. */
  readonly bytesPerPod: number;
}

const NODES = 1000;
/** How many pods are placed while others wait. */
const BESIDE = 2000;
const NODE_NAME = 'node-for-those-that-wait';
const REQUESTS = { cpu: '1m', memory: '1Mi' };

/** Measures store, informers and scheduler on 1,000 nodes, to one of which a label is given that all pods wait for. */
export function pendingPoint(pods: number, clock: Clock, memory: MemoryMeter): PendingPoint {
  const before = memory.usedBytes();
  const stack = new PerfStack({ scheduler: { tieBreak: 'first' }, clock, seed: 1 });
  const { store, loop } = stack;
  let [attempted, bound] = [0, 0];
  stack.pods.addHandler({
    onAdd: () => {},
    onDelete: () => {},
    onUpdate: (old, { spec, status }) => {
      if (spec?.nodeName && !old.spec?.nodeName) bound++;
      else if (status?.conditions !== undefined && old.status?.conditions === undefined) attempted++;
    },
  });
  stack.start();
  until(stack, () => stack.isReady);
  for (let i = 1; i < NODES; i++) store.create('nodes', nodeOf(`node-${i}`));
  const node = store.create('nodes', nodeOf(NODE_NAME));
  while (loop.nextMillis <= loop.nowMillis()) loop.step();
  const create = (count: number, spec: Pod['spec']): void => {
    for (let i = 0; i < count; i++) loop.soon(() => store.create('pods', podOf(spec)));
  };

  const waitMillis = timed(clock, () => {
    create(pods, { ...SPEC, nodeSelector: { group: 'later' } });
    until(stack, () => attempted === pods);
  });
  const bytes = memory.usedBytes() - before;
  const besideMillis = timed(clock, () => {
    create(BESIDE, SPEC);
    until(stack, () => bound === BESIDE);
  });
  const placeMillis = timed(clock, () => {
    const metadata = { ...node.metadata, resourceVersion: undefined, labels: { group: 'later' } };
    store.update('nodes', { ...node, metadata });
    until(stack, () => bound === BESIDE + pods);
  });
  stack.stop();
  const [failure] = stack.errors;
  if (failure !== undefined) throw failure;
  return {
    pods,
    microsToWait: (waitMillis * 1000) / pods,
    microsBeside: (besideMillis * 1000) / BESIDE,
    microsToPlace: (placeMillis * 1000) / pods,
    bytesPerPod: bytes / pods,
  };
}

const SPEC: Pod['spec'] = { containers: [{ name: 'main', image: 'busybox', resources: { requests: REQUESTS } }] };

function podOf(spec: Pod['spec']): Pod {
  return { metadata: { generateName: 'pod-', namespace: 'default' }, spec };
}

function nodeOf(name: string) {
  const capacity = { cpu: '4000', memory: '4Ti', pods: '2000000' };
  return { metadata: { name, labels: {} }, status: { capacity, allocatable: capacity } };
}

function until({ loop, errors }: PerfStack, isDone: () => boolean): void {
  while (!isDone())
    if (errors.length > 0 || !loop.step()) throw new Error('the scheduler has stopped before all pods were placed');
}

function timed(clock: Clock, work: () => void): number {
  const start = clock.nowMillis();
  work();
  return clock.nowMillis() - start;
}

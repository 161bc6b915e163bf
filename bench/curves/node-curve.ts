import type { Node } from '../../src/api/node.ts';
import type { MemoryMeter } from '../../src/benchmark/memory-meter.ts';
import type { Subject, SubjectFactory } from '../../src/benchmark/subject.ts';
import { heteroCluster } from '../../src/benchmark/synthetic/hetero.ts';
import type { Clock } from '../../src/lib/clock.ts';

/** What pods and nodes cost on a cluster of so many nodes. */
export interface NodePoint {
  readonly nodes: number;
  /** The time to add a node. */
  readonly microsPerNode: number;
  /** The time to place a pod, in one batch after the first pod of each signature. */
  readonly microsPerPod: number;
  /** What the scheduler keeps for a node, without the Node objects. */
  readonly bytesPerNode: number;
}

export interface NodeCurveModules {
  readonly createSubject: SubjectFactory;
  readonly clock: Clock;
  readonly memory: MemoryMeter;
}

const SEED = 1;

/** Measures the decision core on `hetero` nodes with pods of 50 signatures, the first tenth of which is not timed. */
export function nodePoint(nodes: number, pods: number, modules: NodeCurveModules): NodePoint {
  const { createSubject, clock, memory } = modules;
  const cluster = heteroCluster(nodes, pods, SEED);
  const before = memory.usedBytes();
  const subject = createSubject({ engine: 'simd' }, cluster);
  const millisOfNodes = timed(clock, () => addNodes(subject, cluster.nodes));
  const bytes = memory.usedBytes() + subject.sharedMemoryBytes - before;
  const first = Math.ceil(pods / 10);
  subject.scheduleBatch(cluster.pods.slice(0, first));
  const rest = cluster.pods.slice(first);
  const millisOfPods = timed(clock, () => subject.scheduleBatch(rest));
  subject[Symbol.dispose]?.();
  return {
    nodes,
    microsPerNode: (millisOfNodes * 1000) / nodes,
    microsPerPod: (millisOfPods * 1000) / rest.length,
    bytesPerNode: bytes / nodes,
  };
}

function addNodes(subject: Subject, nodes: readonly Node[]): void {
  for (const node of nodes) subject.addNode(node);
}

function timed(clock: Clock, work: () => void): number {
  const start = clock.nowMillis();
  work();
  return clock.nowMillis() - start;
}

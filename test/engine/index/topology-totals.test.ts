import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { Pod, PodSpec } from '../../../src/api/pod.ts';
import { TopologyTotals } from '../../../src/engine/index/topology-totals.ts';
import { type ScheduleResult, Scheduler, type SchedulerOptions } from '../../../src/index.ts';
import { OutOfMemoryError } from '../../../src/memory/shared-memory.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { GuardedHosts } from '../../guard/guarded-kernels.ts';
import { GuardedMemory } from '../../guard/guarded-memory.ts';

const RACK = 'rack';
const HOST = 'kubernetes.io/hostname';
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Pods of one signature for each number. */
const spreadOver = (topologyKey: string, number: number): PodSpec => ({
  ...makePod('', { requests: { cpu: `${10 + number}m` } }).spec,
  topologySpreadConstraints: [
    {
      topologyKey,
      maxSkew: 1000,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ],
});
const plain = (number: number): PodSpec => ({ ...makePod('', { requests: { cpu: `${100 + number}m` } }).spec });

function podOf(name: string, spec: PodSpec, labels: Record<string, string> = {}): Pod {
  return { metadata: { name, namespace: 'default', labels }, spec };
}

function nodeOf(i: number, rack: string): Node {
  return makeNode(`n${i}`, { cpu: 64 + (i % 3), labels: { [RACK]: rack, [HOST]: `n${i}` } });
}

/** The reference, and the others with an index, whose kernels must keep to their memory. */
class SideBySide {
  readonly #hosts = new GuardedHosts();
  readonly #schedulers: readonly Scheduler[];
  #pods = 0;

  constructor(nodes: readonly Node[]) {
    const ways: readonly SchedulerOptions[] = [
      { engine: 'reference' },
      ...(['scalar', 'simd'] as const).map((engine) => ({ engine, newKernelHost: this.#hosts.newHost })),
    ];
    this.#schedulers = ways.map((way) => new Scheduler({ ...way, preemption: false }));
    for (const node of nodes) this.change((scheduler) => scheduler.addNode(node));
  }

  change(act: (scheduler: Scheduler) => void): void {
    for (const scheduler of this.#schedulers) act(scheduler);
  }

  schedule(
    spec: PodSpec,
    decide: (scheduler: Scheduler, pod: Pod) => ScheduleResult = (each, pod) => each.schedule(pod),
  ) {
    const pod = podOf(`p${this.#pods++}`, spec, { app: 'web' });
    const [expected, ...others] = this.#schedulers.map((scheduler) => decide(scheduler, pod));
    for (const other of others) expect(other).toEqual(expected);
    this.#hosts.check();
  }
}

/** Runs `act`, and returns null when memory runs out. `before` is called for every allocation. */
function withAllocate<T>(before: (bytes: number, owner?: string) => void, act: () => T): T | null {
  const { allocate } = GuardedMemory.prototype;
  const spy = vi.spyOn(GuardedMemory.prototype, 'allocate').mockImplementation(function (
    this: GuardedMemory,
    bytes,
    owner,
  ) {
    before(bytes, owner);
    return allocate.call(this, bytes, owner);
  });
  try {
    return act();
  } catch (error) {
    expect(error).toMatchObject({ code: 'OutOfMemory' });
    return null;
  } finally {
    spy.mockRestore();
  }
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('more buckets than are kept apart', () => {
  /** 66 nodes, two in a rack: 33 buckets. */
  const nodes = range(66).map((i) => nodeOf(i, `r${i >> 1}`));

  test('when one rack becomes several: other signatures of the block go on with their own totals columns', () => {
    const all = new SideBySide(nodes);
    // 33 totals columns in five blocks; plain signatures take the next.
    for (const number of range(10)) all.schedule(number === 0 ? spreadOver(RACK, 0) : plain(number));
    // Two nodes keep their rack: 65 buckets, and a column that names them.
    for (const i of range(64)) all.change((scheduler) => scheduler.updateNode(nodeOf(i, `s${i}`)));
    all.schedule(spreadOver(RACK, 0));
    for (const number of range(10)) {
      all.schedule(plain(number));
      all.schedule(spreadOver(RACK, 0));
    }
    // The buckets are few enough again, for signatures that come now.
    for (const [i, node] of nodes.entries()) if (i < 64) all.change((scheduler) => scheduler.updateNode(node));
    for (const number of range(4)) all.schedule(spreadOver(RACK, number % 2));
  });

  test('when nodes come to hold different numbers of pods', () => {
    const all = new SideBySide(nodes);
    for (const number of range(10)) all.schedule(number === 0 ? spreadOver(HOST, 0) : plain(number));
    // Each node has as many pods as its number says.
    for (const i of range(66)) {
      for (const k of range(i)) {
        const pod = podOf(`on-${i}-${k}`, { ...plain(0), nodeName: `n${i}` }, { app: 'web' });
        all.change((scheduler) => scheduler.addPod(pod));
      }
      if (i % 5 === 0) all.schedule(spreadOver(HOST, 0));
      if (i % 7 === 0) all.schedule(plain(i % 10));
    }
    for (const number of range(5)) {
      all.schedule(spreadOver(HOST, 0));
      all.schedule(plain(number));
    }
  });
});

describe('that memory runs out, wherever, leaves no column behind that kernels would look past the end of', () => {
  const nodes = range(12).map((i) => nodeOf(i, `r${i >> 1}`));
  const spread = (number: number): PodSpec => spreadOver(RACK, number);
  const tainted = (i: number): Node => ({
    ...nodeOf(i, `r${i >> 1}`),
    spec: { taints: [{ key: `t${i}`, effect: 'NoSchedule' }] },
  });

  test.each([
    ['when there are more buckets', spread, (i: number) => nodeOf(i, `s${i}`)],
    ['when there are more verdict ids of the nodes', plain, tainted],
    ['when both change', spread, tainted],
  ])('%s', (_, specOf, changed) => {
    let failures = 0;
    for (let nth = 0; nth < 40; nth++) {
      const all = new SideBySide(nodes);
      for (const number of range(3)) all.schedule(number === 0 ? spread(0) : plain(number));
      for (const i of range(5)) all.change((scheduler) => scheduler.updateNode(changed(i)));
      all.schedule(specOf(1 + (nth % 2)), (scheduler, pod) => {
        let left = nth;
        const result = withAllocate(
          (bytes) => {
            if (left-- === 0) throw new OutOfMemoryError(bytes);
          },
          () => scheduler.schedule(pod),
        );
        if (left < 0) failures++;
        return result ?? scheduler.schedule(pod);
      });
      for (const number of range(4)) {
        all.schedule(plain(number));
        all.schedule(spread(number % 2));
      }
    }
    expect(failures).toBeGreaterThan(5);
  });
});

test('a signature that has found no room for its totals columns tries again later', () => {
  const best = vi.spyOn(TopologyTotals.prototype, 'best');
  const all = new SideBySide(range(20).map((i) => nodeOf(i, `r${i >> 1}`)));
  withAllocate(
    (bytes, owner) => {
      if (owner === 'rows of a block') throw new OutOfMemoryError(bytes);
    },
    () => all.schedule(spreadOver(RACK, 0)),
  );
  const found = (): unknown[] => best.mock.results.slice(-2).map(({ value }) => value);
  expect(found()).toEqual([null, null]);
  all.schedule(spreadOver(RACK, 0));
  expect(found()).toEqual([null, null]);
  for (const _ of range(300)) all.schedule(plain(0));
  all.schedule(spreadOver(RACK, 0));
  expect(found()).toEqual([expect.anything(), expect.anything()]);
});

test('scores are normalised by all nodes again after a rule about zones has gone', () => {
  const taint = (key: string) => ({ key, effect: 'PreferNoSchedule' as const });
  const tainted = (i: number, zone: string, ...keys: string[]): Node => ({
    ...nodeOf(i, zone),
    spec: { taints: keys.map(taint) },
  });
  const all = new SideBySide([tainted(0, 'a', 'x', 'y'), tainted(1, 'b', 'x'), tainted(2, 'b', 'x')]);
  const term = { topologyKey: RACK, labelSelector: { matchLabels: { app: 'web' } } };
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  // More pods in the zone of many taints, so that the other one stays the better.
  for (const i of range(60)) {
    const pod = podOf(`on-${i}`, { ...plain(0), nodeName: 'n0' }, { app: 'web' });
    all.change((scheduler) => scheduler.addPod(pod));
  }
  const guard = podOf('guard', { ...plain(0), affinity, nodeName: 'n0' });
  all.change((scheduler) => scheduler.addPod(guard));
  const [constraint] = spreadOver(RACK, 0).topologySpreadConstraints ?? [];
  const soft = {
    ...plain(1),
    topologySpreadConstraints: [{ ...constraint, whenUnsatisfiable: 'ScheduleAnyway' }],
  } as PodSpec;
  for (const _ of range(12)) all.schedule(soft);
  all.change((scheduler) => scheduler.removePod('default', 'guard'));
  for (const _ of range(3)) all.schedule(soft);
});

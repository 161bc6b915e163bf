/** Pods beside nominated ones that take nodes from them: `void-nominations.test.ts` has their random lives. */
import { beforeEach, expect, test, vi } from 'vitest';
import { ColumnEngine } from '../../../src/engine/columns/column-engine.ts';
import { type Pod, Scheduler, type SchedulerOptions } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod, type PodOptions } from '../../builders/make-pod.ts';

const ZONE = 'topology.kubernetes.io/zone';
const NODES = 100;

const cycles = vi.spyOn(ColumnEngine.prototype, 'begin');
beforeEach(() => vi.clearAllMocks());

function podOf(name: string, form: PodOptions): Pod {
  const { metadata, spec } = makePod(name, form);
  return { metadata: { ...metadata, labels: { app: 'a' } }, spec };
}

/** Nodes with room for two pods of one cpu, of which the first `nominated` are nominated for a pod of one. */
function newScheduler(nominated: number, options: SchedulerOptions): Scheduler {
  const scheduler = new Scheduler(options);
  for (let i = 0; i < NODES; i++) {
    scheduler.addNode(makeNode(`n${i}`, { cpu: 2, labels: { [ZONE]: `z${i % 2}`, kind: i < 10 ? 'few' : 'many' } }));
  }
  for (let i = 0; i < nominated; i++) {
    const waiting = podOf(`m${i}`, { requests: { cpu: '1' }, spec: { priority: 5 } });
    scheduler.addPod({ ...waiting, status: { nominatedNodeName: `n${i}` } });
  }
  return scheduler;
}

const spread = { topologyKey: ZONE, maxSkew: 1, labelSelector: { matchLabels: { app: 'a' } } };
const PODS = {
  small: { requests: { cpu: '1' } },
  large: { requests: { cpu: '2' } },
  'spread over zones': {
    requests: { cpu: '2' },
    spec: { topologySpreadConstraints: [{ ...spread, whenUnsatisfiable: 'DoNotSchedule' as const }] },
  },
  'of a higher priority': { requests: { cpu: '2' }, spec: { priority: 9 } },
  'of no more nodes than are nominated': { requests: { cpu: '2' }, spec: { nodeSelector: { kind: 'few' } } },
};

const MODES: readonly SchedulerOptions[] = [
  { tieBreak: 'first', percentageOfNodesToScore: 100 },
  { tieBreak: 'upstream', percentageOfNodesToScore: 0 },
];

/** Schedules 30 pods one by one, and a third as many in a batch. */
function decide(scheduler: Scheduler, form: PodOptions): unknown[] {
  const alone = Array.from({ length: 30 }, (_, i) => scheduler.schedule(podOf(`p${i}`, form)));
  const batch = scheduler.scheduleBatch(Array.from({ length: 10 }, (_, i) => podOf(`b${i}`, form)));
  scheduler.close();
  return [...alone, ...batch];
}

for (const [name, form] of Object.entries(PODS)) {
  test(`pods ${name} are decided as by the reference engine, without a cycle but the first refusal's`, () => {
    for (const mode of MODES) {
      for (const preemption of [false, true]) {
        const options = { ...mode, preemption };
        const expected = decide(newScheduler(10, { ...options, engine: 'reference' }), form);
        cycles.mockClear();
        expect(decide(newScheduler(10, { ...options, engine: 'simd' }), form)).toEqual(expected);
        expect(cycles.mock.calls.length).toBeLessThanOrEqual(1);
      }
    }
  });
}

test('a cycle decides where pods are nominated for more nodes than a mask is written for', () => {
  const scheduler = newScheduler(0, { engine: 'simd' });
  for (let i = 0; i <= 1024; i++)
    scheduler.addPod({ ...podOf(`m${i}`, {}), status: { nominatedNodeName: `gone${i}` } });
  decide(scheduler, PODS.small);
  expect(cycles.mock.calls.length).toBe(40);
});

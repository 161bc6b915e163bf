import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Scheduler } from '../../src/core/scheduler.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { runs } from '../builders/runs.ts';

const numRuns = runs(60);
const DEVICES = ['a.io/x', 'a.io/y', 'b.io/z', 'hugepages-2Mi'];

const device = fc.constantFrom(...DEVICES);
const amounts = fc.dictionary(device, fc.constantFrom(0, 1, 2, 5, '9007199254740995'), { maxKeys: 2 });
const fewAmounts = fc.dictionary(device, fc.constantFrom(1, 1, 2), { maxKeys: 2 });
const name = fc.nat(5).map((i) => `n${i}`);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('schedule' as const), requests: fewAmounts }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('batch' as const), all: fc.array(fewAmounts, { maxLength: 6 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('setNode' as const), name, amounts }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('removeNode' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('removePod' as const), rank: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('addPlaced' as const), name, requests: fewAmounts }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fleet' as const), size: fc.constantFrom(3, 70), device }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Plays the steps, and returns what each answered. */
function play(scheduler: Scheduler, steps: readonly Step[]): unknown[] {
  const nodes = new Set<string>();
  const pods: string[] = [];
  let made = 0;
  const newPod = (requests: Record<string, number>, nodeName?: string) =>
    makePod(`p${made++}`, { requests: { cpu: '100m', ...requests }, ...(nodeName !== undefined && { nodeName }) });
  const setNode = (node: string, allocatable: Record<string, number | string>): void => {
    const object = makeNode(node, { cpu: 4, pods: 20, allocatable });
    if (nodes.has(node)) scheduler.updateNode(object);
    else scheduler.addNode(object);
    nodes.add(node);
  };
  return steps.map((each) => {
    if (each.do === 'schedule') {
      const pod = newPod(each.requests);
      const result = scheduler.schedule(pod);
      if (result.status === 'scheduled') pods.push(pod.metadata?.name ?? '');
      return result;
    }
    if (each.do === 'batch') {
      const batch = each.all.map((requests) => newPod(requests));
      const results = scheduler.scheduleBatch(batch);
      return batch.map((pod, i) => {
        const result = results.at(i);
        if (result?.status === 'scheduled') pods.push(pod.metadata?.name ?? '');
        return result;
      });
    }
    if (each.do === 'setNode') setNode(each.name, each.amounts);
    if (each.do === 'removeNode' && nodes.delete(each.name)) scheduler.removeNode(each.name);
    if (each.do === 'addPlaced') {
      const pod = newPod(each.requests, each.name);
      scheduler.addPod(pod);
      pods.push(pod.metadata?.name ?? '');
    }
    if (each.do === 'removePod' && pods.length > 0) {
      const [gone = ''] = pods.splice(each.rank % pods.length, 1);
      scheduler.removePod('default', gone);
    }
    if (each.do === 'fleet') for (let i = 0; i < each.size; i++) setNode(`f${i}`, { [each.device]: 1 });
    return null;
  });
}

describe('resources that few nodes have', () => {
  test.each(['simd', 'scalar'] as const)('the %s engine decides as the reference engine does', (engine) => {
    const plans = fc.record({
      steps: fc.array(step, { maxLength: 40, size: 'max' }),
      index: fc.boolean(),
      isTight: fc.boolean(),
    });
    fc.assert(
      fc.property(plans, ({ steps, index, isTight }) => {
        const limits = isTight ? { objects: 3, bytes: 2 ** 30 } : undefined;
        const wanted = play(new Scheduler({ engine: 'reference' }), steps);
        expect(play(new Scheduler({ engine, index, ...(limits && { limits }) }), steps)).toEqual(wanted);
      }),
      { numRuns },
    );
  });
});

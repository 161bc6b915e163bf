import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeAllOf } from '../../src/benchmark/place-all.ts';
import { schedulePreempting } from '../../src/core/schedule-preempting.ts';
import { type Pod, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const pod = fc.record({ cpu: fc.constantFrom('1', '2', '9'), priority: fc.constantFrom(0, 0, 0, 5, 10) });

function podOf(name: string, cpu: string, priority: number): Pod {
  const made = makePod(name, { requests: { cpu } });
  return { ...made, spec: { ...made.spec, priority } };
}

function world(options: SchedulerOptions, nodes: number): Scheduler {
  const scheduler = new Scheduler(options);
  for (let i = 0; i < nodes; i++) scheduler.addNode(makeNode(`n${i}`, { allocatable: { cpu: '4', pods: '20' } }));
  return scheduler;
}

test('pods that may evict others are placed in batches as they are one by one', () => {
  const options = fc.record({ engine: fc.constantFrom('simd' as const, 'reference' as const) });
  const drawn = fc.array(pod, { minLength: 1, maxLength: 40, size: 'max' });
  fc.assert(
    fc.property(options, fc.integer({ min: 1, max: 5 }), drawn, (given, nodes, specs) => {
      const pods = specs.map(({ cpu, priority }, i) => podOf(`p${i}`, cpu, priority));
      const pending = [podOf('first', '1', 1), ...pods];
      const { placeAll, isPreempting } = placeAllOf([...pending, podOf('other', '1', 2)]);
      expect(isPreempting).toBe(true);
      const alone = world(given, nodes);
      const attempts = pending.map((each) => schedulePreempting(alone, each));
      const outcome = placeAll(world(given, nodes), pending);
      expect([...outcome.decisions()]).toEqual(
        attempts.map(({ result, preemption }) =>
          [result.status === 'scheduled' ? result.node : '', ...(preemption?.victims ?? [])].join(' '),
        ),
      );
      expect(outcome.scheduled).toBe(attempts.filter(({ result }) => result.status === 'scheduled').length);
      expect(outcome.preemptions).toBe(attempts.filter(({ preemption }) => preemption !== null).length);
    }),
    { numRuns: 60 },
  );
});

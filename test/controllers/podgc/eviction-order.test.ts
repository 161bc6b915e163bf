import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { inEvictionOrder, terminatedPodsOver } from '../../../src/controllers/podgc/pods-to-delete.ts';

const names = (pods: readonly Pod[]): (string | undefined)[] => pods.map(({ metadata }) => metadata?.name);

test('evicted pods go first, then old ones, then by name; a pod of no age is the oldest', () => {
  const pod = (name: string, second?: number, phase = 'Failed', reason?: string): Pod => ({
    metadata: { name, creationTimestamp: second === undefined ? undefined : `2026-01-01T00:00:0${second}Z` },
    status: { phase, reason },
  });
  const pods = [
    pod('young', 5),
    pod('b', 3),
    pod('a', 3),
    pod('evicted', 9, 'Failed', 'Evicted'),
    pod('not really', 4, 'Succeeded', 'Evicted'),
    pod('ageless'),
  ];
  expect(names(inEvictionOrder(pods))).toEqual(['evicted', 'ageless', 'a', 'b', 'not really', 'young']);
});

const arbitraryPods = fc.array(
  fc.record({
    phase: fc.constantFrom('Pending', 'Running', 'Unknown', 'Succeeded', 'Failed', '', 'Odd', undefined),
    second: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 20 },
);

test('of the terminated pods, as many stay as may, and no other pod goes', () => {
  fc.assert(
    fc.property(arbitraryPods, fc.integer({ min: -1, max: 12 }), (drawn, threshold) => {
      const pods = drawn.map(({ phase, second }, i) => ({
        metadata: { name: `p${i}`, creationTimestamp: `2026-01-01T00:00:0${second}Z` },
        status: { phase },
      }));
      const terminated = pods.filter(({ status }) => !['Pending', 'Running', 'Unknown'].includes(status.phase ?? ''));
      const going = terminatedPodsOver(threshold, pods);
      expect(going.length).toBe(threshold <= 0 ? 0 : Math.max(0, terminated.length - threshold));
      const staying = terminated.filter((pod) => !going.includes(pod));
      const agesOf = (list: readonly Pod[]) => list.map(({ metadata }) => String(metadata?.creationTimestamp));
      for (const age of agesOf(going)) for (const other of agesOf(staying)) expect(age <= other).toBe(true);
      expect(going.every((pod) => terminated.includes(pod as (typeof terminated)[number]))).toBe(true);
    }),
  );
});

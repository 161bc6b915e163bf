import { expect, test } from 'vitest';
import { JobMetrics, LabelledCounter } from '../../../src/controllers/job/metrics.ts';

test('a counter counts per labels', () => {
  const counter = new LabelledCounter('pods_total', ['mode', 'result']);
  counter.add(2, 'a', 'b');
  counter.add(3, 'a', 'b');
  counter.add(1, 'a', 'c');
  counter.add(0, 'x', 'y');
  expect(counter.get('a', 'b')).toBe(5);
  expect(counter.get('x', 'y')).toBe(0);
  const bare = new LabelledCounter('all_total', []);
  bare.add(4);
  expect([bare.get(), ...bare.entries()]).toEqual([4, [[], 4]]);
  expect([...counter.entries()]).toEqual([
    [['a', 'b'], 5],
    [['a', 'c'], 1],
  ]);
});

test('all counters of the controller have a name of their own', () => {
  const names = new JobMetrics().all().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.every((name) => name.startsWith('job_controller_'))).toBe(true);
});

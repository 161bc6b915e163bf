import { describe, expect, it } from 'vitest';
import { readPerfConfig } from '../../../src/perf/config/read-perf-config.ts';
import { selectWorkloads } from '../../../src/perf/config/workload-selection.ts';
import { textSource } from '../../manifests/text-source.ts';

const CASE = `  workloadTemplate: [{opcode: createPods, collectMetrics: true}]
  workloads:
  - {name: Small, labels: [short]}
  - {name: Large, labels: [performance]}
  - {name: Both, labels: [performance, short]}
`;
const config = await readPerfConfig(
  'c.yaml',
  textSource({ 'c.yaml': `- name: A\n  labels: [all]\n${CASE}- name: B\n${CASE}` }),
);
const names = (pattern?: RegExp, labels?: string) =>
  selectWorkloads(config, { pattern, labels }).map(({ name }) => name);

describe('selectWorkloads', () => {
  it('takes all, in the order of the file', () => {
    expect(names()).toEqual(['A/Small', 'A/Large', 'A/Both', 'B/Small', 'B/Large', 'B/Both']);
  });

  it('takes those with the labels, of the test case too, and without those with a minus', () => {
    expect(names(undefined, 'performance')).toEqual(['A/Large', 'A/Both', 'B/Large', 'B/Both']);
    expect(names(undefined, 'performance,+all')).toEqual(['A/Large', 'A/Both']);
    expect(names(undefined, 'performance, -short')).toEqual(['A/Large', 'B/Large']);
    expect(names(undefined, 'unheard')).toEqual([]);
  });

  it('takes those whose name the pattern is in', () => {
    expect(names(/B\/(S|L)/)).toEqual(['B/Small', 'B/Large']);
    expect(names(/^A/, 'short')).toEqual(['A/Small', 'A/Both']);
  });
});

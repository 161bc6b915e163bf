import { describe, expect, test } from 'vitest';
import {
  fragmentation,
  gradientScore,
  type Room,
  type TaskClass,
} from '../../examples/fragmentation-gradient/fragmentation.ts';
import { inflate, schedulerFor, typicalTasks } from '../../examples/fragmentation-gradient/inflation.ts';
import { openbCluster } from '../../src/simulation/input/openb.ts';

const room = (cpuMilli: number, ...gpus: number[]): Room => ({ cpuMilli, gpus: Float64Array.from(gpus), model: 'T4' });
const task = (cpuMilli: number, gpuMilli: number, popularity = 1, ...models: string[]): TaskClass => ({
  ...{ cpuMilli, gpuMilli, popularity, models },
});

describe('fragmentation: what a task of the workload cannot use', () => {
  test.each([
    ['pieces that are too small', room(8000, 300, 700, 1000), [task(1000, 500)], 300],
    ['whole GPUs need whole ones', room(8000, 300, 1000, 1000), [task(1000, 2000)], 300],
    ['too few of them: all is lost', room(8000, 300, 700, 1000), [task(1000, 2000)], 2000],
    ['no cpu: all is lost', room(500, 300, 1000), [task(1000, 500)], 1300],
    ['another model: all is lost', room(8000, 300, 1000), [task(1000, 500, 1, 'V100')], 1300],
    ['a task without GPU uses none', room(8000, 300, 1000), [task(1000, 0)], 1300],
    ['expected over the workload', room(8000, 300, 1000), [task(1000, 500, 0.5), task(1000, 0, 0.5)], 800],
    ['nothing left, nothing lost', room(8000, 0, 0), [task(1000, 500)], 0],
  ] as const)('%s', (_, left, workload, expected) => {
    expect(fragmentation(left, workload)).toBe(expected);
  });

  test('what lessens it scores above 50, what adds to it below', () => {
    const workload = [task(1000, 500)];
    // A piece that is of use to nobody else; and one that leaves such a piece.
    expect(gradientScore(room(8000, 300), { cpuMilli: 1000, gpuMilli: 300 }, workload)).toBeGreaterThan(50);
    expect(gradientScore(room(8000, 700), { cpuMilli: 1000, gpuMilli: 300 }, workload)).toBeLessThan(50);
    expect(gradientScore(room(8000, 1000), { cpuMilli: 1000, gpuMilli: 500 }, workload)).toBe(50);
  });
});

/** A small trace in the form of openb. */
const nodes = [
  'sn,cpu_milli,memory_mib,gpu,model',
  ...[0, 1, 2, 3].map((i) => `n${i},32000,131072,${i % 2 ? 8 : 2},T4`),
];
const KINDS = ['2000,4096,1,300', '4000,8192,1,500', '4000,8192,1,1000', '8000,16384,2,1000', '2000,4096,0,0'];
const pods = [
  'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time',
  ...Array.from({ length: 60 }, (_, i) => `t${i},${KINDS[(i * i) % KINDS.length]},,LS,Running,${i}`),
];
const trace = openbCluster({ name: 'nodes', text: nodes.join('\n') }, { name: 'pods', text: pods.join('\n') });

test('by columns, node by node, with index and without: the same placements', () => {
  const workload = typicalTasks(trace.pods);
  const place = (options: Parameters<typeof schedulerFor>[2]): unknown[] => {
    const scheduler = schedulerFor('gradient', workload, options);
    for (const node of trace.nodes) scheduler.addNode(node);
    return trace.pods.map((pod) => scheduler.schedule(pod));
  };
  const expected = place({ engine: 'reference' });
  expect(expected).toContainEqual(expect.objectContaining({ status: 'unschedulable' }));
  expect(place({ engine: 'simd' })).toEqual(expected);
  expect(place({ engine: 'scalar', index: false })).toEqual(expected);
});

test('a GPU that is shared is not given away whole', () => {
  const scheduler = schedulerFor('default', typicalTasks(trace.pods));
  const [small] = trace.nodes;
  if (small === undefined) throw new Error('the trace has nodes');
  scheduler.addNode(small);
  const ask = (name: string, gpuMilli: number) => {
    const requests = { cpu: '1', 'alibabacloud.com/gpu-milli': String(gpuMilli) };
    const resources = { requests, limits: requests };
    return scheduler.schedule({ metadata: { name }, spec: { containers: [{ name: 'c', resources }] } }).status;
  };
  expect([ask('a', 600), ask('b', 600), ask('c', 800), ask('d', 1000)]).toEqual([
    ...['scheduled', 'scheduled', 'unschedulable', 'unschedulable'],
  ]);
});

test('where GPUs run short, the gradient allocates more of them', () => {
  const mean = (policy: 'default' | 'gradient'): number => {
    const runs = Array.from({ length: 10 }, (_, seed) => inflate(trace, policy, seed + 1, [1.1]));
    return runs.reduce((sum, [last]) => sum + (last?.allocated ?? 0), 0) / runs.length;
  };
  expect(mean('gradient')).toBeGreaterThan(mean('default'));
});

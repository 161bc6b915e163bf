import { describe, expect, it } from 'vitest';
import { Prng } from '../../../src/lib/prng.ts';
import type { Arrival } from '../../../src/simulation/workload/arrival.ts';
import { openbWorkload } from '../../../src/simulation/workload/openb-workload.ts';

const NODES = 'sn,cpu_milli,memory_mib,gpu,model\nn0,32000,262144,0,\n';
const HEADER = 'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time\n';

function load(pods: string) {
  return openbWorkload({ name: 'nodes.csv', text: NODES }, { name: 'pods.csv', text: HEADER + pods });
}

function arrivalsOf(pods: string): Arrival[] {
  const iterator = load(pods).source.arrivals(new Prng(1));
  const arrivals: Arrival[] = [];
  for (let next = iterator.next(); !next.done; next = iterator.next()) arrivals.push(next.value);
  return arrivals;
}

describe('openbWorkload', () => {
  it('brings pods when they came, counted from the first, and takes them when they went', () => {
    const arrivals = arrivalsOf('b,1,1,0,0,,LS,Running,500,600.5\na,1,1,0,0,,LS,Failed,20,90\n');
    expect(
      arrivals.map(({ atMillis, deletionMillis, object }) => [object.metadata?.name, atMillis, deletionMillis]),
    ).toEqual([
      ['a', 0, 70_000],
      ['b', 480_000, 580_500],
    ]);
  });

  it('leaves those without an end', () => {
    const [arrival] = arrivalsOf('a,1,1,0,0,,LS,Running,20,\n');
    expect(arrival?.deletionMillis).toBe(Number.POSITIVE_INFINITY);
  });

  it('knows its nodes, and when it is over', () => {
    const { nodes, source } = load('b,1,1,0,0,,LS,Running,500,600\na,1,1,0,0,,LS,Failed,20,900\n');
    expect(nodes.map(({ metadata }) => metadata?.name)).toEqual(['n0']);
    expect(source).toMatchObject({ count: 2, endMillis: 880_000 });
  });

  it.each([
    ['a,1,1,0,0,,LS,Running,20,10\n', 'pods.csv:2: column deletion_time: 10 is before creation_time 20'],
    ['a,1,1,0,0,,LS,Running,20,late\n', 'pods.csv:2: column deletion_time: expected seconds >= 0, found "late"'],
  ])('says what is wrong (%#)', (pods, message) => {
    expect(() => load(pods)).toThrow(message);
  });
});

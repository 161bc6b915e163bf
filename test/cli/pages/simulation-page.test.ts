import { describe, expect, it } from 'vitest';
import type { ReasonsSection } from '../../../src/report/sections.ts';
import { pageSections, sectionOf } from '../../builders/read-page.ts';
import { faults, job } from '../../simulation/simulate-text.ts';
import { berth, NODES, pod } from '../run-berth.ts';

const ZONED = ['n1', 'n2', 'n3']
  .map(
    (name, i) =>
      `kind: Node\nmetadata: {name: ${name}, labels: {topology.kubernetes.io/zone: ${i === 0 ? 'a' : 'b'}}}\n` +
      'status: {allocatable: {cpu: 2, memory: 4Gi, pods: 10}}\n---\n',
  )
  .join('');
const FILES = {
  'c.yaml': `${ZONED}${pod('fits', '1')}${pod('big', '3')}${pod('huge', '4')}${job('work', '  completions: 2')}`,
  'f.yaml': faults('  - {fault: nodeCrash, at: 10m, node: n1}'),
};
const ARGV = ['simulate', '-f', 'c.yaml', '--faults', 'f.yaml', '--until', '20m'];

async function reportOf(argv: readonly string[], files: Readonly<Record<string, string>> = FILES): Promise<string> {
  const { written, logged } = await berth([...argv, '--report', 'r.html'], files);
  expect(logged.filter((line) => line.startsWith('error'))).toEqual([]);
  return written['r.html'] ?? '';
}

describe('the page of a simulation', () => {
  it('changes nothing of the run', async () => {
    const [plain, reported] = await Promise.all([
      berth([...ARGV, '-o', 'json'], FILES),
      berth([...ARGV, '-o', 'json', '--report', 'r.html'], FILES),
    ]);
    expect(reported.out).toBe(plain.out);
  });

  it('is the same for the same command', async () => {
    expect(await reportOf(ARGV)).toBe(await reportOf(ARGV));
  });

  it('shows what happened over time, with the faults on the axis', async () => {
    const page = await reportOf(ARGV);
    const throughput = sectionOf(page, 'lines', 'Throughput');
    expect(throughput.marks?.map(({ x, text }) => `${x} ${text}`)).toEqual(['600 nodeCrash of n1 begins']);
    const [created] = throughput.runs[0]?.lines ?? [];
    expect(created?.name).toBe('created');
    // Rates of stretches of a second.
    expect(created?.values.reduce((a: number, b) => a + (b ?? 0), 0) ?? 0).toBe(5);
    const pending = sectionOf(page, 'lines', 'Pending by reason').runs[0]?.lines.find(
      ({ name }) => name === 'Insufficient cpu',
    );
    expect(Math.max(...((pending?.values ?? []) as number[]))).toBe(2);
    const queue = sectionOf(page, 'lines', 'Scheduling queue').runs[0]?.lines.map(({ name }) => name);
    expect(queue).toContain('unschedulable');
    for (const title of ['Packing', 'Fragmentation', 'cpu requested by zone', 'Resources of ready nodes, of all']) {
      expect(sectionOf(page, 'lines', title).syncKey).toBe('time');
    }
  });

  it('opens a reason to what each node said', async () => {
    const { groups } = sectionOf(await reportOf(ARGV), 'reasons', 'Reasons for which pods had no node');
    const cpu = groups.find(({ reason }) => reason === 'Insufficient cpu');
    expect(cpu).toMatchObject({ count: 2, pods: expect.arrayContaining(['default/big', 'default/huge']) });
    expect(cpu?.explained?.verdicts).toEqual([
      {
        plugin: 'NodeResourcesFit',
        reason: 'Insufficient cpu',
        count: 3,
        examples: expect.arrayContaining(['n1', 'n2', 'n3']),
      },
    ]);
    expect(cpu?.explained?.verdictOfNode).toEqual([0, 0, 0]);
  });

  it('has a map, zones, workloads, latencies and faults', async () => {
    const page = await reportOf(ARGV);
    const map = sectionOf(page, 'heat', 'What is requested of each node');
    expect(map).toMatchObject({ nodes: ['n1', 'n2', 'n3'], groups: expect.arrayContaining(['a', 'b']) });
    expect(map.metrics.map(({ name }) => name)).toEqual(['cpu', 'memory', 'pods']);
    expect(map.frames.at(-1)?.lost).toEqual([0]);
    expect(sectionOf(page, 'table', 'Zones at the end').rows.map((row) => row.slice(0, 3))).toEqual(
      expect.arrayContaining([
        ['a', 1, 0],
        ['b', 2, 2],
      ]),
    );
    const jobs = sectionOf(page, 'table', 'Jobs and other controllers of pods').rows;
    expect(jobs.find(([name]) => name === 'default/work')).toEqual(expect.arrayContaining(['Job', 'complete']));
    expect(sectionOf(page, 'bars', 'Scheduling latency').series[0]?.values).toHaveLength(4);
    expect(sectionOf(page, 'table', 'Faults').rows).toEqual([[600, 'nodeCrash of n1 begins']]);
  });

  it('overlays two runs', async () => {
    const config = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
    const files = { ...FILES, 'a.yaml': config, 'b.yaml': config };
    const page = await reportOf([...ARGV, '--compare', 'a.yaml', 'b.yaml'], files);
    const { runs, isStacked } = sectionOf(page, 'lines', 'Pending by reason');
    expect(runs.map(({ name }) => name)).toEqual(['a.yaml', 'b.yaml']);
    expect(runs[0]?.lines).toEqual(runs[1]?.lines);
    expect(isStacked).toBe(false);
    expect(sectionOf(page, 'table', 'Figures').columns).toHaveLength(3);
  });

  it('is small and whole for an empty run', async () => {
    const page = await reportOf(['simulate', '-f', 'c.yaml'], { 'c.yaml': NODES });
    const kinds = pageSections(page).map((section) => section?.kind);
    expect(kinds).toContain('heat');
    expect(pageSections(page).filter((section): section is ReasonsSection => section?.kind === 'reasons')).toEqual([]);
  });
});

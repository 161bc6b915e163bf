import { describe, expect, it } from 'vitest';
import { NODES, pod } from './run-berth.ts';
import { runBuilt } from './run-built.ts';

const input =
  NODES +
  pod('small', '1') +
  pod('big', '9') +
  pod('bigger', '99').replace('{name: bigger}', '{name: bigger, namespace: team}') +
  pod('gated', '1', 'schedulingGates: [{name: example.com/wait}], ') +
  pod('choosy', '1', 'nodeSelector: {disk: ssd}, ');
const schedule = (...argv: string[]) => runBuilt(['schedule', '-f', '-', ...argv], { input });

describe('pods that were not placed', () => {
  it('are listed at the end, by reason', async () => {
    const { code, err } = await schedule();
    expect(code).toBe(2);
    expect(err.split('\n').slice(1)).toEqual([
      'not placed:',
      '  2 pods: 2 Insufficient cpu (default/big)',
      '  1 pod: SchedulingGates: waiting for scheduling gates: [example.com/wait] (default/gated)',
      "  1 pod: 2 node(s) didn't match Pod's node affinity/selector (default/choosy)",
      '',
    ]);
  });

  it('can be printed alone, by name, by namespace, without titles, without remarks', async () => {
    const [names, quiet, team, json] = await Promise.all([
      schedule('--only', 'unplaced', '-o', 'name'),
      schedule('--only=unplaced', '-q', '--no-headers'),
      schedule('-n', 'team', '--no-headers'),
      schedule('--only', 'unplaced', '-o=json', '-q'),
    ]);
    expect(names.out).toBe('pod/big\npod/bigger\npod/gated\npod/choosy\n');
    expect(quiet.err).toBe('');
    expect(quiet.out.split('\n').map((line) => line.split(/ +/)[1])).toEqual([
      'big',
      'bigger',
      'gated',
      'choosy',
      undefined,
    ]);
    expect(team.out).toMatch(/^team +bigger +unschedulable .*\n$/);
    const report = JSON.parse(json.out);
    expect(report.placements).toHaveLength(4);
    expect(report.summary).toMatchObject({ pods: 5, scheduled: 1 });
    expect(report.notPlaced[0]).toEqual({ pods: 2, reason: '2 Insufficient cpu', example: 'default/big' });
    expect(json.code).toBe(2);
  });
});

describe('an explanation for many nodes', () => {
  const node = (i: number, spec = '') =>
    `kind: Node\nmetadata: {name: n${i}}\nspec: {${spec}}\n` +
    `status: {allocatable: {cpu: ${i % 2 === 0 ? 4 : 8}, memory: 8Gi, pods: 10}}\n---\n`;
  const many =
    Array.from({ length: 40 }, (_, i) => node(i, i < 10 ? 'taints: [{key: a, effect: NoSchedule}]' : '')).join('') +
    pod('a', '1');
  const explain = (...argv: string[]) =>
    runBuilt(['schedule', '-f', '-', '-q', '--explain', 'a', ...argv], { input: many });

  it('has one row for all nodes with the same verdict, best first', async () => {
    const [grouped, all, json] = await Promise.all([explain(), explain('--nodes'), explain('-o', 'json')]);
    const rows = grouped.out.slice(grouped.out.indexOf('NODES')).trimEnd().split('\n');
    expect(rows.map((row) => row.split(/ +/).slice(0, 3).join(' '))).toEqual([
      'NODES EXAMPLE TOTAL',
      expect.stringMatching(/^15 n11 \d+$/),
      expect.stringMatching(/^15 n10 \d+$/),
      '10 n0 -',
    ]);
    expect(rows[1]).toMatch(/^15 +n11 +\d+ +\* /);
    expect(rows[3]).toMatch(/TaintToleration \(.*\): node\(s\) had untolerated taint\(s\)$/);
    expect(grouped.out).toContain('best: n11, n13, n15, n17, n19 and 10 more\n');
    const allRows = all.out.slice(all.out.indexOf('NODE   TOTAL')).trimEnd().split('\n');
    expect(allRows).toHaveLength(41);
    expect(allRows.slice(1, 3).map((row) => row.split(/ +/)[0])).toEqual(['n11', 'n13']);
    expect(JSON.parse(json.out).explanation.nodes).toHaveLength(40);
  });
});

import { describe, expect, it } from 'vitest';
import { formatExplainedPod } from '../../src/cli/output/explained-pod.ts';
import { explainPage } from '../../src/cli/pages/explain-page.ts';
import { reportFile } from '../../src/cli/terminal/page-program.ts';
import { withoutProgram } from '../builders/read-page.ts';
import { berth, NODES, pod } from './run-berth.ts';

const files = {
  'c.yaml': NODES + pod('runs', '1', 'nodeName: n1, ') + pod('fits', '1') + pod('large', '3') + pod('gone', '1'),
};
const explain = (...argv: string[]) => berth(['explain', ...argv], files);

describe('berth explain', () => {
  it('says why a pod is pending, and what would place it', async () => {
    const { code, out, logged } = await explain('large', '-f', 'c.yaml');
    expect(code).toBe(2);
    expect(logged).toEqual([]);
    expect(out).toMatch(/^Pod default\/large: unschedulable\n0\/2 nodes are available: 2 Insufficient cpu\./);
    expect(out.slice(out.indexOf('What')).split('\n')).toEqual([
      'What would place it, each tried by deciding again:',
      '  request cpu 1000m instead of 3 (on n1, or one of 1 more)',
      '  add a node of shape cpu=3,memory=1Gi (on new)',
      '',
    ]);
    expect((await explain('large', '-f', 'c.yaml', '--no-remedies')).out).not.toContain('What would');
  });

  it('places earlier pods first, and takes a pod that has a node off it', async () => {
    const fits = await explain('default/fits', '-f', 'c.yaml');
    expect(fits.code).toBe(0);
    expect(fits.out).toMatch(/^Pod default\/fits: scheduled\nFeasible: 2 of 2 nodes; best: n2\n/);
    const runs = await explain('runs', '-n', 'default', '-f', 'c.yaml', '--nodes');
    expect(runs.out).toMatch(/^On node n1; what follows .*\nPod default\/runs: scheduled\nFeasible: 2 of 2 nodes/);
  });

  it('prints JSON', async () => {
    const { out } = await explain('large', '-f', 'c.yaml', '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({
      ...{ pod: 'default/large', node: null, status: 'unschedulable' },
      remedies: [
        { changes: [{ kind: 'requests', text: 'request cpu 1000m instead of 3' }], node: 'n1', feasibleNodes: 2 },
        { changes: [{ kind: 'newNode' }], node: 'new', feasibleNodes: 1 },
      ],
      nodes: [{ node: 'n1', rejected: { plugin: 'NodeResourcesFit' } }, { node: 'n2' }],
    });
  });

  it('prints a page in which nothing of the input is markup', async () => {
    const { out } = await explain('large', '-f', 'c.yaml', '-o', 'html');
    expect(out).toMatch(/^<!doctype html>/);
    expect(out).toContain('<td dir="auto">request cpu 1000m instead of 3</td>');
    const remedy = {
      changes: [{ kind: 'toleration', text: `<script>"'` }],
      node: '\u202e<b>',
      feasibleNodes: 1,
    } as const;
    const { code: _, ...large } = JSON.parse((await explain('large', '-f', 'c.yaml', '-o', 'json')).out);
    const hostile = {
      pod: '<i>&"',
      node: '<u>',
      explanation: { ...large, message: '</dd><script>' },
      remedies: [remedy],
    };
    const page = withoutProgram(reportFile(explainPage(hostile, [['Command', '<b>']])));
    expect(page).not.toMatch(/<script>|<i>|<u>|<b>/);
    expect(page).toContain('&lt;script&gt;&quot;');
    expect(formatExplainedPod(hostile, { hasAllNodes: false })).not.toContain('\u202e');
  });

  it('reads the cluster of a recording at a time', async () => {
    const job = (name: string) =>
      pod(name, '2', 'restartPolicy: Never, ').replace(
        `{name: ${name}}`,
        `{name: ${name}, annotations: {berth.dev/run-duration: 10m}}`,
      );
    const given = { 'run.yaml': NODES + job('a') + job('b') + job('c') };
    const { written } = await berth(['simulate', '-f', 'run.yaml', '--record', 'r.gz', '--until', '15m'], given);
    const bytes = Buffer.from(written['r.gz'] ?? '', 'latin1');
    const at = (time: string, name: string) =>
      berth(['explain', name, '--replay', 'r.gz', '--at', time], { 'r.gz': bytes });
    const early = await at('5m', 'c');
    expect(early.code).toBe(2);
    expect(early.out).toMatch(/^Pod default\/c: unschedulable\n0\/2 nodes are available: 2 Insufficient cpu\./);
    const late = await at('12m', 'c');
    expect(late.out).toMatch(/^On node n[12]; what follows/);
  });

  it.each([
    [['x', '-f', 'c.yaml'], 'there is no pod x in the input'],
    [['large'], 'there is no input: -f FILE, or -k FOLDER (--help says more)'],
    [['large', '-f', 'c.yaml', '--at', '5m'], "cannot be used with option '--at"],
    [['large', '-f', 'c.yaml', '-o', 'json', '--nodes'], '--nodes has no effect without a table'],
    [['large', '--replay', 'c.yaml'], '--replay needs --at, the time in the recording, such as 10m'],
    [['large', '--replay', 'c.yaml', '--at', '5m'], 'c.yaml: '],
    [['large', '--replay', 'c.yaml', '--at', 'soon'], 'Expected a duration such as 90s or 24h, of at most 2562047h.'],
  ])('refuses %j in one line', async (argv, message) => {
    const { code, out, logged } = await explain(...argv);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(logged).toEqual([expect.stringContaining(message)]);
  });
});

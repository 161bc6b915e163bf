import { describe, expect, it } from 'vitest';
import { berth, NODES, pod } from './run-berth.ts';

const GATES = ['--feature-gates', 'GenericWorkload=true,GangScheduling=true'];

const group = (name: string, minCount: number) =>
  `apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {name: ${name}}\n` +
  `spec: {schedulingPolicy: {gang: {minCount: ${minCount}}}}\n---\n`;
const member = (name: string, of: string, cpu: string, more = '') =>
  pod(name, cpu, `schedulingGroup: {podGroupName: ${of}}, ${more}`);

/** Runs the command, and returns status and node of each pod. */
async function placed(yaml: string, ...argv: string[]) {
  const { code, out, logged } = await berth(['schedule', '-f', 'f.yaml', '-o', 'json', ...argv], { 'f.yaml': yaml });
  const { placements, explanation } = JSON.parse(out) as {
    readonly placements: readonly Readonly<Record<string, string | null>>[];
    readonly explanation?: { readonly status: string };
  };
  const rows = Object.fromEntries(placements.map(({ name, status, node }) => [name, `${status} ${node ?? '-'}`]));
  return { code, rows, placements, explanation, logged };
}

describe('berth schedule with groups', () => {
  it('places a gang as a whole, or not at all', async () => {
    const yaml =
      NODES +
      group('fits', 2) +
      group('large', 3) +
      group('lacks', 9) +
      member('f0', 'fits', '1') +
      member('l0', 'large', '1') +
      member('n0', 'lacks', '100m') +
      member('f1', 'fits', '1') +
      member('l1', 'large', '1') +
      member('l2', 'large', '1') +
      pod('plain', '500m');
    const { code, rows, placements } = await placed(yaml, ...GATES);
    expect(code).toBe(2);
    expect(rows).toEqual({
      ...{ f0: 'scheduled n1', f1: 'scheduled n2', n0: 'gated -', plain: 'scheduled n1' },
      ...{ l0: 'unschedulable -', l1: 'unschedulable -', l2: 'unschedulable -' },
    });
    const messages = new Map(placements.map(({ name, message }) => [name, message]));
    expect(messages.get('l0')).toMatch(/^pod group is unschedulable, waiting for minCount pods from a gang/);
    expect(messages.get('n0')).toBe(
      'GangScheduling: waiting for minCount pods from a gang to appear in scheduling queue',
    );
    expect(placements.find(({ name }) => name === 'f0')).not.toHaveProperty('feasibleNodes');
  });

  it('removes victims at once, and places the gang in their place', async () => {
    const low = pod('low', '2', 'nodeName: n1, priority: 0, ');
    const yaml = NODES + low + group('g', 2) + member('g0', 'g', '2', 'priority: 9, ');
    const { rows, placements } = await placed(yaml + member('g1', 'g', '2', 'priority: 9, '), ...GATES);
    expect(rows).toEqual({ g0: 'scheduled n2', g1: 'scheduled n1', low: 'preempted n1' });
    expect(placements.at(-1)).toMatchObject({ preemptedBy: expect.stringMatching(/^default\/g[01]$/) });
  });

  it('explains a pod at the end', async () => {
    const yaml = NODES + group('g', 9) + member('g0', 'g', '1');
    const { explanation } = await placed(yaml, ...GATES, '--explain', 'g0');
    expect(explanation).toMatchObject({ pod: 'default/g0', status: 'gated' });
  });

  it('takes members as single pods without the gate, and says so', async () => {
    const { rows, logged } = await placed(NODES + group('g', 9) + member('g0', 'g', '1'));
    expect(rows).toEqual({ g0: 'scheduled n1' });
    expect(logged).toContain(
      'warning: spec.schedulingGroup of 1 pod is ignored (--feature-gates GenericWorkload=true,GangScheduling=true)',
    );
  });
});

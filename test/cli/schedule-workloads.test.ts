import { describe, expect, it } from 'vitest';
import { berth, NODES, pod } from './run-berth.ts';

const TEMPLATE =
  'template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}';
const workload = (kind: string, name: string, more: string) =>
  `kind: ${kind}\nmetadata: {name: ${name}}\nspec: {selector: {matchLabels: {app: web}}, ${more}${TEMPLATE}}\n---\n`;

describe('berth schedule', () => {
  it('places the pods that workloads lack, after those of the input', async () => {
    const files = {
      'c.yaml':
        NODES +
        workload('Deployment', 'web', 'replicas: 2, ') +
        workload('DaemonSet', 'agent', '') +
        pod('first', '500m'),
    };
    const { code, out, logged } = await berth(['schedule', '-f', 'c.yaml', '--no-headers'], files);
    expect(code).toBe(2);
    const rows = out.split('\n').map((line) => line.split(/ {2,}/));
    expect(
      rows.slice(0, 5).map(([, name = '', status, node]) => [name.replace(/-[a-z0-9]+-/, '-x-'), status, node]),
    ).toEqual([
      ['first', 'scheduled', 'n1'],
      [expect.stringMatching(/^web-x-.{5}$/), 'scheduled', 'n2'],
      [expect.stringMatching(/^web-x-.{5}$/), 'scheduled', expect.any(String)],
      [expect.stringMatching(/^agent-.{5}$/), expect.any(String), expect.any(String)],
      [expect.stringMatching(/^agent-.{5}$/), expect.any(String), expect.any(String)],
    ]);
    expect(logged).toContain('warning: made 4 pods that workloads lack (--no-expand: none)');
  });

  it('makes none with --no-expand', async () => {
    const files = { 'c.yaml': NODES + workload('Deployment', 'web', 'replicas: 2, ') + pod('first', '500m') };
    const { code, out, logged } = await berth(['schedule', '-f', 'c.yaml', '--no-expand', '--no-headers'], files);
    expect([code, out.trim().split('\n').length]).toEqual([0, 1]);
    expect(logged.join()).toContain('left out 1 object of 1 kind: 1 Deployment');
  });

  it('names what is wrong with a workload', async () => {
    const files = { 'c.yaml': NODES + workload('Deployment', 'web', 'replicas: many, ') };
    const { code, logged } = await berth(['schedule', '-f', 'c.yaml'], files);
    expect(code).toBe(1);
    const reason = 'spec.replicas: must be an integer, not the string "many"';
    expect(logged[0]).toBe(`error: c.yaml: Deployment default/web: ${reason}`);
  });
});

import { describe, expect, it } from 'vitest';
import { berth } from '../../cli/run-berth.ts';

const NODES = ['a', 'b']
  .map((name) => `kind: Node\nmetadata: {name: ${name}}\nstatus: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}\n---\n`)
  .join('');
const deployment = (replicas: number, cpu = '1') => `kind: Deployment
apiVersion: apps/v1
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "${cpu}"}}}]}
---
`;
const budget = (least: number) => `kind: PodDisruptionBudget
apiVersion: policy/v1
metadata: {name: web}
spec: {minAvailable: ${least}, selector: {matchLabels: {app: web}}}
---
`;

async function ask(manifest: string, ...flags: string[]) {
  const argv = ['what-if', '-f', 'c.yaml', ...flags, '-o', 'json'];
  const { code, out, logged } = await berth(argv, { 'c.yaml': manifest });
  const answer = JSON.parse(out);
  return { code, logged, ...answer.with, without: answer.without };
}

describe('what-if --for', () => {
  it('says how many pods a workload had after a loss, and when it had as many as before', async () => {
    const { code, workloads, summary, without } = await ask(NODES + deployment(4), '--lose', 'a', '--for', '20m');
    expect(code).toBe(0);
    expect(workloads).toMatchObject([{ workload: 'Deployment default/web', before: 4, least: 2, end: 4 }]);
    // The node is taken for lost after 50 s, and its pods are evicted 300 s later.
    expect(workloads[0].backMillis).toBeGreaterThan(300_000);
    expect(workloads[0].backMillis).toBeLessThan(420_000);
    expect(summary).toMatchObject({ simulatedSeconds: 1800, nodesNotReady: 1, faults: { nodeCrash: 1 } });
    expect(without).toMatchObject({ simulatedSeconds: 1800, nodesNotReady: 0, faults: {} });
  });

  it('drains nodes in order, as fast as budgets allow', async () => {
    const manifest = NODES + deployment(4) + budget(3);
    const { code, drained, workloads } = await ask(manifest, '--drain', 'a', '--for', '10m');
    expect(code).toBe(0);
    expect(drained).toEqual([{ node: 'a', emptyMillis: expect.any(Number), refusals: expect.any(Number) }]);
    expect(drained[0].refusals).toBeGreaterThan(0);
    expect(workloads).toMatchObject([{ before: 4, least: 3, end: 4 }]);
  });

  it('does not empty a node against a budget', async () => {
    const manifest = NODES + deployment(4) + budget(4);
    const { drained, workloads } = await ask(manifest, '--drain', 'a,b', '--for', '2m');
    expect(drained).toMatchObject([
      { node: 'a', emptyMillis: null },
      { node: 'b', emptyMillis: null, refusals: 0 },
    ]);
    expect(workloads).toEqual([]);
  });

  it('names pods that do not come back, by exit code 2', async () => {
    const { code, summary, workloads } = await ask(NODES + deployment(8, '1'), '--lose', 'a', '--for', '10m');
    expect(code).toBe(2);
    expect(workloads).toMatchObject([{ before: 8, end: 4, backMillis: null }]);
    expect(summary.open.notScheduled).toMatchObject([{ count: 4 }]);
  });

  it('scales a workload', async () => {
    const { code, summary, without } = await ask(NODES + deployment(2), '--scale', 'deployment/web=6', '--for', '5m');
    expect([code, without.pods.running, summary.pods.running]).toEqual([0, 2, 6]);
  });

  it('prints both runs, and workloads, as a table', async () => {
    const { out } = await berth(['what-if', '-f', 'c.yaml', '--drain', 'a', '--for', '5m'], {
      'c.yaml': NODES + deployment(4) + budget(3),
    });
    expect(out).toMatch(/^FIGURE +without +with the change$/m);
    expect(out).toMatch(/^The change came after 10m0s, and 5m0s followed\.\na is empty after \d+s; budgets refused/m);
    expect(out).toMatch(/^Deployment default\/web +4 +3 +4 +\d+s$/m);
  });

  it.each([
    [['--remove-nodes', '--for', '1h'], /--for <duration>' cannot be used with option '--remove-nodes'/],
    [['--lose', 'a', '--for', 'soon'], /Expected a duration/],
    [['--scale', 'rc/web=3', '--for', '1h'], /no controller of a simulation runs a ReplicationController/],
    [['--lose', 'q', '--for', '1h'], /there is no node "q"/],
  ])('refuses %j', async (flags, message) => {
    const { code, logged } = await berth(['what-if', '-f', 'c.yaml', ...flags], { 'c.yaml': NODES + deployment(1) });
    expect(code).toBe(1);
    expect(logged.join('\n')).toMatch(message);
  });
});

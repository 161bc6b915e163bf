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
const daemons = (cpu: string) => `kind: DaemonSet
apiVersion: apps/v1
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
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
  return { code, logged, ...answer.with, without: answer.without, found: answer.found };
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
    expect(drained).toMatchObject([{ node: 'a', emptyMillis: expect.any(Number), isRemoval: false }]);
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

  it('removes the nodes that can go, one after the other, as fast as budgets allow', async () => {
    const [c, d] = ['c', 'd'].map((name) => NODES.split('---\n')[0]?.replace('name: a', `name: ${name}`));
    const manifest = `${NODES}${c}---\n${d}---\n${deployment(6)}${budget(5)}${daemons('100m')}`;
    const { code, found, drained, summary, without, workloads } = await ask(manifest, '--remove-nodes', '--for', '10m');
    expect(code).toBe(0);
    expect(found.removal.removed).toHaveLength(2);
    expect(found.removal.steps.flat()).toEqual(found.removal.removed);
    expect(drained.map(({ node }: { node: string }) => node)).toEqual(found.removal.removed);
    const [first, second] = drained;
    expect(first).toMatchObject({ isRemoval: true, emptyMillis: expect.any(Number) });
    expect(second.emptyMillis).toBeGreaterThan(first.emptyMillis);
    expect([without.nodes, summary.nodes, summary.pods.running]).toEqual([4, 2, 8]);
    expect(workloads).toContainEqual(
      expect.objectContaining({ workload: 'Deployment default/web', before: 6, least: 5, end: 6 }),
    );
    expect(workloads).toContainEqual(expect.objectContaining({ workload: 'DaemonSet default/agent', end: 2 }));
  });

  it('creates the nodes that are missing, on which there is room for pods of DaemonSets, too', async () => {
    const flags = ['--add-nodes', '--shape', 'cpu=2,memory=8Gi', '--for', '10m'];
    const { code, found, summary, withoutNode, workloads } = await ask(
      NODES + daemons('500m') + deployment(9),
      ...flags,
    );
    // There is room for three pods on each node, and for one on each new one.
    expect(found.addition.count).toBe(3);
    expect([code, summary.nodes, summary.pods.running]).toEqual([0, 5, 14]);
    expect(withoutNode).toMatchObject({ before: 3, most: 3, end: 0, noneMillis: expect.any(Number) });
    expect(workloads).toContainEqual({
      workload: 'Deployment default/web',
      before: 6,
      least: 6,
      end: 9,
      backMillis: 0,
    });
    const without = await ask(NODES + daemons('500m') + deployment(9), '--no-expand', ...flags);
    expect(without).toMatchObject({ found: { addition: { count: 0 } }, summary: { nodes: 2 } });
  });

  it('creates as many pods as fit, which no workload adopts', async () => {
    const fit = deployment(1).replace('{name: web}', '{name: web, namespace: other}');
    const files = { 'c.yaml': NODES + deployment(3), 'fit.yaml': fit };
    const { code, out } = await berth(
      ['what-if', '-f', 'c.yaml', '--fit', 'fit.yaml', '--for', '5m', '-o', 'json'],
      files,
    );
    const { found, with: after } = JSON.parse(out);
    expect([code, found.fit.count, found.fit.reason]).toEqual([0, 5, '2 Insufficient cpu']);
    expect(after.summary.pods).toMatchObject({ running: 8, failed: 0, deleted: 0 });
    expect(after.workloads).toMatchObject([{ workload: expect.stringMatching(/^Fit other\/web/), before: 0, end: 5 }]);
  });

  it('makes pods without a controller again after their eviction', async () => {
    const bare = 'kind: Pod\nmetadata: {name: own}\nspec: {nodeName: a, containers: [{name: c, image: i}]}\n---\n';
    const kept = await ask(NODES + bare, '--drain', 'a', '--for', '5m');
    expect(kept).toMatchObject({ drained: [{ emptyMillis: expect.any(Number) }], summary: { pods: { running: 1 } } });
    const moved = await ask(NODES + bare, '--drain', 'a', '--replace-bare', '--for', '5m');
    expect(moved.summary.pods).toMatchObject({ created: 2, running: 1, evicted: 1 });
    expect(moved.workloads).toMatchObject([{ workload: 'Pod default/own', before: 1, least: 0, end: 1 }]);
  });

  it('prints what was found first, reads standard input twice, and writes a page of both runs', async () => {
    let reads = 0;
    const files = {
      read: async () => {
        reads++;
        return new TextEncoder().encode(NODES + deployment(2));
      },
    };
    const argv = ['what-if', '-f', '-', '--remove-nodes', '--for', '5m', '--report', 'r.html'];
    const { code, out, written } = await berth(argv, {}, { files });
    expect([code, reads]).toEqual([0, 1]);
    expect(out).toMatch(
      /^1 of 2 nodes can go, .*\n(?:.*\n)*FIGURE +without +with the change\n(?:.*\n)*. is empty and deleted/m,
    );
    const page = written['r.html'] ?? '';
    expect(page).toContain('1 of 2 nodes can go');
    expect(page).toContain('Ready pods of the workloads concerned');
    expect(page).toContain('what-if, in time');
  });

  it.each([
    [['--remove-nodes', '--add-nodes', '--for', '1h'], /'--remove-nodes' cannot be used with option '--add-nodes'/],
    [['--remove-nodes', '--for', '1h', '--no-headers'], /--no-headers has no effect/],
    [['--add-nodes', '--shape', 'cpu=x', '--for', '1h'], /shape "cpu=x": cpu: "x" is not an amount/],
    [['--fit', 'none.yaml', '--for', '1h'], /none.yaml: no such file/],
    [['--remove-nodes', '--for', '-1h'], /Expected a duration/],
    [['--lose', 'a', '--for', 'soon'], /Expected a duration/],
    [['--scale', 'rc/web=3', '--for', '1h'], /no controller of a simulation runs a ReplicationController/],
    [['--lose', 'q', '--for', '1h'], /there is no node "q"/],
  ])('refuses %j', async (flags, message) => {
    const { code, logged } = await berth(['what-if', '-f', 'c.yaml', ...flags], { 'c.yaml': NODES + deployment(1) });
    expect(code).toBe(1);
    expect(logged.join('\n')).toMatch(message);
  });
});

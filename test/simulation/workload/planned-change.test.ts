import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../src/api/deployment.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { applyPatch } from '../../../src/simulation/workload/apply-patch.ts';
import { strategicMerge } from '../../../src/store/patch/strategic-merge.ts';
import { loadText, simulateText } from '../simulate-text.ts';

const changes = (list: string) => `apiVersion: berth.dev/v1alpha1
kind: Workload
changes:
${list}`;

const web = (spec: string, template = '{containers: [{name: c, image: a:1}]}', metadata = '') => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, ${metadata}}
spec:
  ${spec}
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}, annotations: {berth.dev/ready-delay: 5s}}, spec: ${template}}
`;

async function played(files: Readonly<Record<string, string>>, until = '30m') {
  const { simulation, lines, summary } = await simulateText(files, { workload: 'w', nodes: 3, until });
  const { store } = simulation.cluster;
  const deployment = (): Deployment => store.get('deployments', 'default', 'web');
  return { store, deployment, lines, summary, pods: store.list('pods').items as readonly Pod[] };
}

describe('a change', () => {
  it('rolls a Deployment to the template that is applied, within its limits', async () => {
    const limits = 'replicas: 4\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}';
    const { deployment, pods, lines } = await played({
      'objects.yaml': web(limits),
      'v2.yaml': web(limits, '{containers: [{name: c, image: a:2}]}'),
      w: changes('  - {at: 10m, apply: v2.yaml}'),
    });
    expect(pods.map(({ spec }) => spec?.containers?.[0]?.image)).toEqual(Array(4).fill('a:2'));
    expect(deployment().status).toMatchObject({ updatedReplicas: 4, availableReplicas: 4, terminatingReplicas: 0 });
    const steps = lines
      .filter((line) => line.includes('recorded Normal ScalingReplicaSet'))
      .map((line) => line.slice(11, 19));
    expect(steps.filter((time) => time >= '00:10:00')).toHaveLength(8);
    // Each step waits for the pod of the one before, which takes time to end and to start.
    expect(new Set(steps.filter((time) => time >= '00:10:00')).size).toBeGreaterThan(3);
  });

  it('by apply removes what only the former manifest had, and keeps what others have set', async () => {
    const { deployment } = await played({
      'objects.yaml': web('minReadySeconds: 5', '{nodeSelector: {a: b}, containers: [{name: c}, {name: d}]}'),
      'v2.yaml': web('paused: false', '{containers: [{name: c, image: a:2}]}'),
      w: changes(
        `  - {at: 1m, patch: {kind: Deployment, metadata: {name: web}, spec: {replicas: 3}}}
  - {at: 2m, apply: v2.yaml}`,
      ),
    });
    const { spec } = deployment();
    expect(spec?.replicas).toBe(3);
    expect(spec?.minReadySeconds ?? 0).toBe(0);
    expect(spec?.template?.spec?.nodeSelector).toBeUndefined();
    expect(spec?.template?.spec?.containers?.map(({ name, image }) => [name, image])).toEqual([['c', 'a:2']]);
  });

  it('takes the former manifest of a dumped object from the annotation of kubectl, or has none', async () => {
    const annotation = JSON.stringify(JSON.stringify({ spec: { minReadySeconds: 5 } }));
    const dumped = (annotations: string) =>
      web('minReadySeconds: 5\n  revisionHistoryLimit: 3', undefined, `uid: u, annotations: {${annotations}}`);
    const files = { 'v2.yaml': web('replicas: 2'), w: changes('  - {at: 1m, apply: v2.yaml}') };
    const key = 'kubectl.kubernetes.io/last-applied-configuration';
    const one = await played({ ...files, 'objects.yaml': dumped(`${key}: ${annotation}`) }, '5m');
    expect(one.deployment().spec).toMatchObject({ replicas: 2, revisionHistoryLimit: 3 });
    expect(one.deployment().spec?.minReadySeconds ?? 0).toBe(0);
    const other = await played({ ...files, 'objects.yaml': dumped('') }, '5m');
    expect(other.deployment().spec).toMatchObject({ replicas: 2, revisionHistoryLimit: 3, minReadySeconds: 5 });
  });

  it('creates, restarts and deletes at several times', async () => {
    const { store, lines, summary } = await played({
      'v1.yaml': web('replicas: 1'),
      w: changes(`  - {at: 2m, apply: v1.yaml}
  - {at: 20m, delete: {kind: Deployment, metadata: {name: web}}}
  - at: [5m, 10m]
    patch: {kind: Node, metadata: {name: node-00000}, spec: {unschedulable: true}}`),
    });
    expect(store.list('deployments').items).toEqual([]);
    expect(store.list('pods').items).toEqual([]);
    expect(store.get('nodes', '', 'node-00000').spec?.unschedulable).toBe(true);
    expect(lines.find((line) => line.includes('ADDED deployments'))).toContain('00:02:00.000Z');
    expect(summary.errors).toEqual([]);
  });

  it.each([
    ['{at: 1m, patch: {kind: Deployment, metadata: {name: no}}}', 'w: changes[0].patch: '],
    ['{at: 1m, delete: {kind: Pod, metadata: {name: web-1}}}', 'w: changes[0].delete: '],
    ['{at: 1m, apply: {kind: Deployment, metadata: {name: web}, spec: {replicas: -1}}}', 'w: changes[0].apply: spec'],
    ['{at: 1m, apply: no.yaml}', 'no.yaml: no such file'],
    ['{at: 1m, apply: {kind: Secret, metadata: {name: a}}}', 'w: changes[0].apply.kind: unknown kind "Secret"'],
    ['{at: 1m, patch: {kind: Pod}}', 'w: changes[0].patch.metadata.name: must say which object it is'],
    [
      '{at: soon, apply: v2.yaml}',
      'w: changes[0].at: must be a duration such as "90s", of at most 2562047h, not "soon"',
    ],
    ['{at: 1m}', 'w: changes[0]: needs one of apply, patch, delete'],
  ])('that cannot be made is an error before anything runs: %s', async (entry, message) => {
    const files = { 'objects.yaml': web('replicas: 1'), w: changes(`  - ${entry}`) };
    await expect(loadText(files, { workload: 'w', nodes: 1 })).rejects.toThrow(message);
  });

  it('may be of an object that arrives, and of one that a change before has created', async () => {
    const pod = '{kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}]}}';
    const arrival = `arrivals:\n  - {at: 1m, count: 2, object: ${pod}}\n`;
    const w = `${changes('  - {at: 2m, delete: {kind: Pod, metadata: {name: p-1}}}')}\n${arrival}`;
    const { pods } = await played({ w }, '10m');
    expect(pods.map(({ metadata }) => metadata?.name)).toEqual(['p-0']);
  });
});

describe('applyPatch', () => {
  const patched = (live: object, former: object | undefined, wanted: object) =>
    strategicMerge('deployments', live as never, applyPatch('deployments', former as never, wanted as never));

  it('merges lists by the names of their items, and replaces others', () => {
    const live = {
      containers: [{ name: 'a', image: '1', env: [{ name: 'X', value: '1' }] }, { name: 'side' }],
      args: ['a'],
    };
    const former = { containers: [{ name: 'a', env: [{ name: 'X', value: '1' }] }], args: ['a'] };
    const wanted = { containers: [{ name: 'a', env: [{ name: 'Y', value: '2' }] }, { name: 'b' }], args: ['b', 'c'] };
    expect(patched(live, former, wanted)).toEqual({
      containers: [{ name: 'a', image: '1', env: [{ name: 'Y', value: '2' }] }, { name: 'b' }, { name: 'side' }],
      args: ['b', 'c'],
    });
  });

  it('keeps of a changed strategy what the manifest names', () => {
    const live = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } };
    expect(patched(live, { strategy: {} }, { strategy: { type: 'Recreate' } })).toEqual({
      strategy: { type: 'Recreate' },
    });
    expect(patched(live, { strategy: { type: 'RollingUpdate' } }, { strategy: { type: 'RollingUpdate' } })).toEqual(
      live,
    );
  });

  it('takes values from lists of values that only the former manifest had', () => {
    expect(patched({ finalizers: ['a', 'x'] }, { finalizers: ['a'] }, { finalizers: ['b'] })).toEqual({
      finalizers: expect.arrayContaining(['b', 'x']),
    });
  });
});

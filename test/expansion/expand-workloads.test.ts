import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import { expandWorkloads } from '../../src/expansion/expand-workloads.ts';
import { readManifests } from '../../src/manifests/read.ts';
import type { Resource } from '../../src/store/objects/resources.ts';
import { makeNode } from '../builders/make-node.ts';
import { textSource } from '../manifests/text-source.ts';

const containers = [{ name: 'c', image: 'i:1', resources: { requests: { cpu: '1' } } }];
const template = (app: string, spec = {}) => ({ metadata: { labels: { app } }, spec: { containers, ...spec } });
const selector = (app: string) => ({ matchLabels: { app } });
const job = { template: { spec: { restartPolicy: 'Never', containers } } };

async function expand(objects: readonly object[]) {
  const text = objects.map((object) => JSON.stringify(object)).join('\n');
  return readManifests(['f.ndjson'], textSource({ 'f.ndjson': `${text}\n` }), { expand: expandWorkloads });
}

const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 };
const nameOf = ({ metadata }: Pod) => metadata?.name ?? '';
const nodes = [makeNode('n1'), makeNode('n2', { unschedulable: true }), makeNode('n3', { labels: { role: 'x' } })].map(
  (node) => ({ kind: 'Node', ...node }),
);

const WORKLOADS: Readonly<Record<string, { readonly kind: string; readonly spec: object }>> = {
  deployments: { kind: 'Deployment', spec: { replicas: 3, selector: selector('d'), template: template('d') } },
  replicasets: { kind: 'ReplicaSet', spec: { replicas: 2, selector: selector('r'), template: template('r') } },
  statefulsets: {
    kind: 'StatefulSet',
    spec: {
      ...{ replicas: 3, selector: selector('s'), template: template('s'), ordinals: { start: 2 }, serviceName: 'w' },
      podManagementPolicy: 'Parallel',
      volumeClaimTemplates: [
        {
          metadata: { name: 'v' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  },
  daemonsets: {
    kind: 'DaemonSet',
    spec: { selector: selector('a'), template: template('a', { nodeSelector: { role: 'x' } }) },
  },
  jobs: { kind: 'Job', spec: { ...job, completions: 5, parallelism: 2, completionMode: 'Indexed' } },
};

describe('expandWorkloads', () => {
  it.each(Object.entries(WORKLOADS))('makes of %s what their controller makes', async (resource, { kind, spec }) => {
    const object = { kind, metadata: { name: 'w', namespace: 'default' }, spec };
    const { pods } = await expand([...nodes, object]);
    const cluster = new Cluster();
    for (const { kind: _, ...node } of nodes) cluster.store.create('nodes', node);
    cluster.store.create(resource as Resource, object as never);
    cluster.start();
    cluster.runFor(1000);
    const made = cluster.store.list('pods').items;
    // Names that the API completes, and uids, are drawn there.
    const essence = ({ metadata, spec: podSpec }: Pod) => ({
      name: nameOf({ metadata }).replace(/-[a-z0-9]{5}$/, '-xxxxx'),
      labels: Object.entries(metadata?.labels ?? {}).filter(([key]) => !/controller-(uid|revision-hash)/.test(key)),
      owners: metadata?.ownerReferences?.map(({ kind: of, name, controller }) => [of, name, controller]),
      affinity: podSpec?.affinity,
      volumes: podSpec?.volumes,
      hostname: podSpec?.hostname,
    });
    const sorted = (list: readonly Pod[]) =>
      list
        .map(essence)
        .map((each) => JSON.stringify(each))
        .sort();
    expect(sorted(pods)).toEqual(sorted(made));
    expect(pods.length).toBeGreaterThan(0);
  });

  it('makes only the pods that are missing, and the claims', async () => {
    const uid = { uid: 'u' };
    const owner = (kind: string, name: string, ofUid = 'u') => [
      { apiVersion: 'apps/v1', kind, name, uid: ofUid, controller: true },
    ];
    const pod = (name: string, app: string, ownerReferences: object, more = {}) => ({
      ...{
        kind: 'Pod',
        metadata: { name, labels: { app }, ownerReferences, ...(name === 'w-2' && GOING) },
        spec: { containers },
      },
      ...more,
    });
    const { pods, others } = await expand([
      ...nodes,
      { kind: 'StatefulSet', metadata: { name: 'w', ...uid }, spec: WORKLOADS['statefulsets']?.spec },
      pod('w-3', 's', owner('StatefulSet', 'w')),
      // A pod that is being deleted still has its name; one that is over is replaced.
      pod('w-2', 's', owner('StatefulSet', 'w'), { spec: { nodeName: 'n1', containers } }),
      pod('w-4', 's', owner('StatefulSet', 'w'), { status: { phase: 'Failed' } }),
      { kind: 'ReplicaSet', metadata: { name: 'r', ...uid }, spec: WORKLOADS['replicasets']?.spec },
      pod('r-1', 'r', owner('ReplicaSet', 'r')),
      // A pod without a controller is adopted.
      { kind: 'DaemonSet', metadata: { name: 'a' }, spec: { selector: selector('a'), template: template('a') } },
      { kind: 'Pod', metadata: { name: 'a-1', labels: { app: 'a' } }, spec: { nodeName: 'n1', containers } },
    ]);
    // Five pods are given; they come first.
    expect(pods.slice(5).map(nameOf)).toEqual([
      ...['w-4'],
      expect.stringMatching(/^r-.{5}$/),
      expect.stringMatching(/^a-.{5}$/),
      expect.stringMatching(/^a-.{5}$/),
    ]);
    const claims = others
      .filter(({ kind }) => kind === 'PersistentVolumeClaim')
      .map(({ object }) => object.metadata?.name);
    expect(claims).toEqual(['v-w-4']);
  });

  it('takes the pods of a Deployment from its ReplicaSets where there are some', async () => {
    const deployment = { kind: 'Deployment', metadata: { name: 'd', uid: 'd' }, spec: WORKLOADS['deployments']?.spec };
    const set = {
      kind: 'ReplicaSet',
      metadata: {
        name: 'd-1',
        uid: 'r',
        ownerReferences: [{ kind: 'Deployment', name: 'd', uid: 'd', controller: true }],
      },
      spec: { replicas: 2, selector: selector('d'), template: template('d') },
    };
    const { pods } = await expand([deployment, set]);
    expect(pods.map(nameOf)).toEqual([expect.stringMatching(/^d-1-.{5}$/), expect.stringMatching(/^d-1-.{5}$/)]);
    // Without the sets, pods are told by the hash in the name of their controller.
    const lost = {
      ...{ kind: 'Pod', spec: { containers } },
      metadata: {
        ...{ name: 'd-9-x', labels: { app: 'd', 'pod-template-hash': '9' } },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'd-9', uid: 'r', controller: true }],
      },
    };
    expect((await expand([deployment, lost])).pods).toHaveLength(3);
  });

  it('makes one run of a CronJob and one pod of a template, and nothing of what is suspended', async () => {
    const { pods, warnings } = await expand([
      { kind: 'CronJob', metadata: { name: 'c' }, spec: { schedule: '@daily', jobTemplate: { spec: job } } },
      {
        kind: 'CronJob',
        metadata: { name: 's' },
        spec: { schedule: '@daily', suspend: true, jobTemplate: { spec: job } },
      },
      { kind: 'Job', metadata: { name: 'j' }, spec: { ...job, suspend: true } },
      { kind: 'PodTemplate', metadata: { name: 't' }, template: template('t') },
    ]);
    expect(pods.map(nameOf)).toEqual([expect.stringMatching(/^c-0-.{5}$/), expect.stringMatching(/^t-.{5}$/)]);
    expect(warnings).toEqual([
      'made 2 pods that workloads lack (--no-expand: none)',
      '2 suspended workloads got no pods',
    ]);
  });

  it('gives the pods the priority of their class, and refuses a class that is not there', async () => {
    const deployment = (name: string) => ({
      ...{ kind: 'Deployment', metadata: { name: 'd' } },
      spec: { selector: selector('d'), template: template('d', { priorityClassName: name }) },
    });
    const { pods } = await expand([
      { kind: 'PriorityClass', metadata: { name: 'high' }, value: 9 },
      deployment('high'),
    ]);
    expect(pods[0]?.spec?.priority).toBe(9);
    await expect(expand([deployment('none')])).rejects.toThrow('spec.priorityClassName: priority class "none" is not');
  });

  it('refuses more pods than fit', async () => {
    const deployment = {
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { ...WORKLOADS['deployments']?.spec, replicas: 2e9 },
    };
    await expect(expand([deployment])).rejects.toThrow(
      'Deployment default/d lacks 2,000,000,000 pods: workloads lack more than 1,000,000 pods in all',
    );
  });
});

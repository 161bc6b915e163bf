import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DaemonSet, DaemonSetSpec } from '../../../src/api/daemon-set.ts';
import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { daemonLimits } from '../../../src/controllers/daemonset/daemon-update.ts';
import { makeNode } from '../../builders/make-node.ts';
import { isGoing, isServing, PodLife } from '../../builders/pod-life.ts';

const labels = { app: 'agent' };
const selector = { matchLabels: labels };
const templateOf = (image: string, spec: object = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image }], ...spec },
});

let cluster: Cluster;

beforeEach(() => {
  ({ cluster } = newCluster(['n1', 'n2', 'n3']));
});

function newCluster(nodes: readonly string[], onChange?: () => void, seed = 1) {
  const made = new Cluster();
  const life = new PodLife(made, { seed, ...(onChange && { onChange }) });
  made.store.delete('nodes', '', 'node-1');
  for (const name of nodes) made.store.create('nodes', makeNode(name, { labels: { 'kubernetes.io/hostname': name } }));
  made.start();
  return { cluster: made, life };
}

const create = (spec: DaemonSetSpec = {}, of = cluster): DaemonSet =>
  of.store.create('daemonsets', {
    metadata: { name: 'agent', namespace: 'default' },
    spec: { selector, template: templateOf('a:1'), ...spec },
  });
const change = (spec: object, of = cluster) =>
  of.store.patch('daemonsets', 'default', 'agent', { type: 'merge', body: { spec } });
const changeNode = (name: string, body: Partial<Node> | object) =>
  cluster.store.patch('nodes', '', name, { type: 'merge', body });
const pods = (of = cluster): readonly Pod[] => of.store.list('pods').items;
const nodesOf = (list: readonly Pod[]) => list.map(({ spec }) => spec?.nodeName ?? '').sort();
const status = (of = cluster) => of.store.get('daemonsets', 'default', 'agent').status;

describe('DaemonSetController', () => {
  it('puts one pod on each node, by an affinity to its name', () => {
    create();
    cluster.runFor(100);
    const [pod] = pods();
    expect(pod?.spec?.affinity?.nodeAffinity).toEqual({
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
      },
    });
    const tolerated = pod?.spec?.tolerations?.map(({ key, effect }) => `${key?.split('/')[1]}:${effect}`);
    expect(tolerated).toEqual([
      ...['not-ready:NoExecute', 'unreachable:NoExecute', 'disk-pressure:NoSchedule', 'memory-pressure:NoSchedule'],
      ...['pid-pressure:NoSchedule', 'unschedulable:NoSchedule'],
    ]);
    cluster.runFor(60_000);
    expect(nodesOf(pods())).toEqual(['n1', 'n2', 'n3']);
    expect(status()).toMatchObject({
      ...{ desiredNumberScheduled: 3, currentNumberScheduled: 3, numberReady: 3, numberAvailable: 3 },
      ...{ updatedNumberScheduled: 3, numberMisscheduled: 0, numberUnavailable: 0, observedGeneration: 1 },
    });
  });

  it('says the generation of the template, notes annotations in revisions, and replaces equal tolerations', () => {
    const tolerations = [
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
      { key: 'mine', operator: 'Exists' },
    ];
    const annotations = { 'deprecated.daemonset.template.generation': '3', 'kubernetes.io/change-cause': 'why' };
    cluster.store.create('daemonsets', {
      metadata: { name: 'agent', namespace: 'default', annotations },
      spec: { selector, template: templateOf('a:1', { tolerations }) },
    });
    cluster.runFor(100);
    const [pod] = pods();
    expect(pod?.metadata?.labels).toMatchObject({ 'pod-template-generation': '3' });
    const { tolerationSeconds: _, ...first } = tolerations[0] as (typeof tolerations)[0];
    expect(pod?.spec?.tolerations?.slice(0, 2)).toEqual([first, tolerations[1]]);
    expect(pod?.spec?.tolerations).toHaveLength(7);
    expect(cluster.store.list('controllerrevisions').items[0]?.metadata?.annotations).toEqual(annotations);
    expect(status()).not.toHaveProperty('collisionCount');
  });

  it('deletes the pods that have no place also when others cannot be created', () => {
    create({ template: templateOf('a:1', { nodeSelector: { role: 'a' } }) });
    changeNode('n1', { metadata: { labels: { role: 'a' } } });
    cluster.runFor(60_000);
    expect(nodesOf(pods())).toEqual(['n1']);
    changeNode('n2', { metadata: { labels: { role: 'b' } } });
    change({ template: templateOf('a:2', { nodeSelector: { role: 'b' }, priorityClassName: 'missing' }) });
    cluster.runFor(60_000);
    expect(pods()).toEqual([]);
  });

  it('replaces a pod that has ended and is kept by a finalizer, and says what it has found', () => {
    create();
    cluster.runFor(60_000);
    const [pod] = pods().filter(({ spec }) => spec?.nodeName === 'n1');
    const name = pod?.metadata?.name ?? '';
    cluster.store.patch('pods', 'default', name, {
      type: 'merge',
      body: { metadata: { finalizers: ['example.com/x'] } },
    });
    cluster.store.patch('pods', 'default', name, { type: 'merge', body: { status: { phase: 'Succeeded' } } }, 'status');
    cluster.runFor(60_000);
    expect(nodesOf(pods())).toEqual(['n1', 'n1', 'n2', 'n3']);
    const messages = cluster.store.list('events').items.map(({ message }) => message);
    expect(messages).toContain(`Found succeeded daemon pod default/${name} on node n1, will try to delete it`);
  });

  it('with surge makes a pod beside one that is deleted, and takes misplaced ones when all others serve', () => {
    create({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
    cluster.runFor(60_000);
    const [deleted] = pods().filter(({ spec }) => spec?.nodeName === 'n1');
    cluster.store.delete('pods', 'default', deleted?.metadata?.name ?? '');
    cluster.runFor(50);
    expect(pods()).toHaveLength(4);
    cluster.runFor(60_000);
    changeNode('n1', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } });
    change({ template: templateOf('a:2') });
    cluster.runFor(120_000);
    expect(nodesOf(pods())).toEqual(['n2', 'n3']);
  });

  it('follows nodes that come, go, and change', () => {
    create({ template: templateOf('a:1', { nodeSelector: { role: 'worker' } }) });
    cluster.runFor(60_000);
    expect(pods()).toEqual([]);
    for (const name of ['n1', 'n2']) changeNode(name, { metadata: { labels: { role: 'worker' } } });
    cluster.store.create('nodes', makeNode('n4', { labels: { role: 'worker' } }));
    cluster.runFor(60_000);
    expect(nodesOf(pods())).toEqual(['n1', 'n2', 'n4']);
    changeNode('n1', { metadata: { labels: { role: null } } });
    cluster.store.delete('nodes', '', 'n4');
    cluster.runFor(120_000);
    expect(nodesOf(pods())).toEqual(['n2']);
    expect(status()).toMatchObject({ desiredNumberScheduled: 1, numberMisscheduled: 0 });
  });

  it('keeps a pod under a new NoSchedule taint, which counts as misscheduled, and removes it under NoExecute', () => {
    create();
    cluster.runFor(60_000);
    changeNode('n1', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } });
    changeNode('n2', { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } });
    cluster.runFor(60_000);
    expect(nodesOf(pods())).toEqual(['n1', 'n3']);
    expect(status()).toMatchObject({ desiredNumberScheduled: 1, currentNumberScheduled: 1, numberMisscheduled: 1 });
  });

  it('replaces a failed pod, later each time', () => {
    create();
    cluster.runFor(60_000);
    const fail = () => {
      for (const { metadata } of pods().filter(({ spec }) => spec?.nodeName === 'n1')) {
        const body = { status: { phase: 'Failed' } };
        cluster.store.patch('pods', 'default', metadata?.name ?? '', { type: 'merge', body }, 'status');
      }
    };
    for (let i = 0; i < 4; i++) {
      fail();
      cluster.runFor(30_000);
      expect(nodesOf(pods().filter(({ status: of }) => of?.phase === 'Running'))).toEqual(['n1', 'n2', 'n3']);
    }
  });

  it('goes back to a former revision, and keeps no more of them than the limit', () => {
    create({ revisionHistoryLimit: 1 });
    for (const image of ['a:2', 'a:3', 'a:4', 'a:3']) {
      cluster.runFor(120_000);
      change({ template: templateOf(image) });
    }
    cluster.runFor(120_000);
    expect(new Set(pods().map(({ spec }) => spec?.containers?.[0]?.image))).toEqual(new Set(['a:3']));
    const revisions = cluster.store.list('controllerrevisions').items.map(({ revision }) => revision);
    expect(revisions.sort()).toEqual([4, 5]);
  });

  it('updates with OnDelete only what is deleted', () => {
    create({ updateStrategy: { type: 'OnDelete' } });
    cluster.runFor(60_000);
    change({ template: templateOf('a:2') });
    cluster.runFor(60_000);
    expect(pods().map(({ spec }) => spec?.containers?.[0]?.image)).toEqual(['a:1', 'a:1', 'a:1']);
    cluster.store.delete('pods', 'default', pods()[0]?.metadata?.name ?? '');
    cluster.runFor(60_000);
    expect(
      pods()
        .map(({ spec }) => spec?.containers?.[0]?.image)
        .sort(),
    ).toEqual(['a:1', 'a:1', 'a:2']);
    expect(status()).toMatchObject({ updatedNumberScheduled: 1 });
  });

  it('never has more than one pod a node (two with surge), and keeps the limits of an update', () => {
    const input = fc.record({
      ...{ seed: fc.nat(), nodeCount: fc.integer({ min: 1, max: 8 }) },
      limit: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom('30%', '50%')),
      ...{ isSurge: fc.boolean(), updates: fc.array(fc.integer({ min: 1000, max: 40_000 }), { maxLength: 3 }) },
      minReadySeconds: fc.constantFrom(0, 2),
    });
    fc.assert(
      fc.property(input, ({ seed, nodeCount, limit, isSurge, updates, minReadySeconds }) => {
        const rollingUpdate = isSurge ? { maxSurge: limit, maxUnavailable: 0 } : { maxSurge: 0, maxUnavailable: limit };
        const spec = { updateStrategy: { type: 'RollingUpdate', rollingUpdate }, minReadySeconds };
        const { maxSurge = 0, maxUnavailable = 0 } = daemonLimits({ spec }, nodeCount) ?? {};
        let isFull = false;
        const { cluster: own, life } = newCluster(
          Array.from({ length: nodeCount }, (_, i) => `n${i}`),
          () => {
            const present = pods(own).filter((pod) => !isGoing(pod));
            const target = (pod: Pod) => JSON.stringify(pod.spec?.affinity);
            expect(present.length - new Set(present.map(target)).size).toBeLessThanOrEqual(maxSurge);
            const serving = new Set(present.filter(isServing).map(target)).size;
            if (isFull) expect(serving).toBeGreaterThanOrEqual(nodeCount - maxUnavailable);
          },
          seed,
        );
        create(spec, own);
        own.runFor(60_000);
        isFull = true;
        for (const [i, millis] of [...updates, 0].entries()) {
          own.runFor(millis);
          change({ template: templateOf(`b:${i}`) }, own);
        }
        own.runFor(600_000);
        life.check();
        expect(nodesOf(pods(own))).toEqual(Array.from({ length: nodeCount }, (_, i) => `n${i}`));
        const image = `b:${updates.length}`;
        expect(new Set(pods(own).map((pod) => pod.spec?.containers?.[0]?.image))).toEqual(new Set([image]));
        expect(status(own)).toMatchObject({ numberAvailable: nodeCount, updatedNumberScheduled: nodeCount });
      }),
      { numRuns: 20 },
    );
  });
});

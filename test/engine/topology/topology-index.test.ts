import { describe, expect, test } from 'vitest';
import { HOSTNAME_LABEL } from '../../../src/api/topology-spread.ts';
import type { PodInfo } from '../../../src/framework/pod-info.ts';
import type { Pod } from '../../../src/index.ts';
import { NO_DOMAIN } from '../../../src/memory/topology-domains.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const isWeb = ({ pod }: PodInfo): number => (pod.metadata?.labels?.['app'] === 'web' ? 1 : 0);
const node = (name: string, zone?: string, labels = {}) =>
  makeNode(name, { labels: zone ? { zone, ...labels } : labels });
const web = (name: string, nodeName: string, labels: Record<string, string> = { app: 'web' }): Pod => ({
  metadata: { name, namespace: 'default', labels },
  spec: { ...makePod(name).spec, nodeName },
});
const onPoolX = {
  key: 'pool x',
  topologyKeys: [],
  looksAt: { taints: false, labels: ['pool'] },
  includes: ({ metadata }: ReturnType<typeof node>) => metadata?.labels?.['pool'] === 'x',
};

const term = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } };
const friendly = (name: string, nodeName: string): Pod => {
  const pod = web(name, nodeName);
  const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  return { ...pod, spec: { ...pod.spec, affinity: { podAffinity } } };
};

/** n0 and n1 in zone a, n2 in zone b. */
function start() {
  const world = new EngineColumns().add(node('n0', 'a'), node('n1', 'a'), node('n2', 'b'));
  const { cluster, topology: index } = world;
  const onNodes = () => {
    const counter = index.podCounter('web', isWeb);
    return [0, 1, 2].map((slot) => counter.on(slot));
  };
  /** The counts of pods in the zone of each node. */
  const inZones = () => {
    const { domains, counts } = index.domainCounter('web', isWeb, 'zone');
    return [0, 1, 2].map((slot) => (domains.domainOf(slot) === NO_DOMAIN ? null : counts.get(domains.domainOf(slot))));
  };
  return { world, cluster, index, onNodes, inZones };
}

describe('pods per node', () => {
  test('are counted that were there before, come, and go', () => {
    const { cluster, index, onNodes } = start();
    cluster.pods.add(web('before', 'n1'));
    cluster.pods.add(web('db', 'n1', { app: 'db' }));
    expect(index.isIdle).toBe(true);
    expect(onNodes()).toEqual([0, 1, 0]);
    expect(index.isIdle).toBe(false);
    cluster.pods.add(web('after', 'n2'));
    cluster.pods.add(web('more', 'n1'));
    expect(onNodes()).toEqual([0, 2, 1]);
    cluster.pods.remove('default', 'before');
    cluster.pods.remove('default', 'db');
    expect(onNodes()).toEqual([0, 1, 1]);
  });

  test('count as often as they are said to, in one counter for a key', () => {
    const { cluster, index } = start();
    const twice = index.podCounter('twice', () => 2);
    cluster.pods.add(web('a', 'n0'));
    expect([twice.on(0), twice.total]).toEqual([2, 2]);
    expect(index.podCounter('twice', () => 7)).toBe(twice);
    expect(index.size).toBe(1);
  });

  test('a labels object that pods of two namespaces share is not taken for one key of counted pods', () => {
    const { cluster, index } = start();
    const labels = { app: 'web' };
    const here = index.podCounter('here', ({ namespace }) => (namespace === 'default' ? 1 : 0));
    cluster.pods.add(web('a', 'n0', labels));
    cluster.pods.add({ ...web('b', 'n0', labels), metadata: { name: 'b', namespace: 'other', labels } });
    expect(here.on(0)).toBe(1);
    cluster.pods.remove('default', 'a');
    cluster.pods.add(web('c', 'n1', labels));
    expect([here.on(0), here.on(1), here.total]).toEqual([0, 1, 1]);
  });

  test('pods that come back after the last of their counted pods has gone are there for new counters', () => {
    const { cluster, index } = start();
    const labels = { app: 'web' };
    index.podCounter('first', isWeb);
    cluster.pods.add(web('a', 'n0', labels));
    cluster.pods.remove('default', 'a');
    cluster.pods.add(web('b', 'n1', labels));
    const second = index.podCounter('second', isWeb);
    expect([second.on(0), second.on(1), second.total]).toEqual([0, 1, 1]);
  });

  test('a pod that is on its way out has another key of counted pods', () => {
    const { cluster, index } = start();
    const alive = index.podCounter('alive', ({ pod }) => (pod.metadata?.deletionTimestamp ? 0 : 1));
    const pod = web('a', 'n0');
    cluster.pods.add(pod);
    cluster.pods.update({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    expect(alive.on(0)).toBe(0);
  });
});

describe('pods per domain', () => {
  test('are those of all nodes with the label value', () => {
    const { cluster, inZones } = start();
    for (const [i, name] of ['n0', 'n1', 'n1', 'n2'].entries()) cluster.pods.add(web(`p${i}`, name));
    expect(inZones()).toEqual([3, 3, 1]);
    cluster.pods.remove('default', 'p0');
    expect(inZones()).toEqual([2, 2, 1]);
  });

  test('move with a node whose label changes', () => {
    const { cluster, inZones } = start();
    for (const i of [0, 1, 2]) cluster.pods.add(web(`p${i}`, `n${i}`));
    expect(inZones()).toEqual([2, 2, 1]);
    cluster.updateNode(node('n1', 'b'));
    expect(inZones()).toEqual([1, 2, 2]);
    cluster.updateNode(node('n1'));
    expect(inZones()).toEqual([1, null, 1]);
  });

  test('go with their node; the next node in its slot begins with none', () => {
    const { cluster, index, inZones } = start();
    for (const i of [0, 1, 2]) cluster.pods.add(web(`p${i}`, `n${i}`));
    expect(inZones()).toEqual([2, 2, 1]);
    cluster.removeNode('n2');
    expect(inZones()).toEqual([2, 2, null]);
    cluster.addNode(node('late', 'c'));
    expect(inZones()).toEqual([2, 2, 0]);
    expect(index.domainCounter('web', isWeb, 'zone').total).toBe(2);
  });

  test('count only on nodes that fulfil the condition, which may change', () => {
    const { cluster, index } = start();
    for (const i of [0, 1, 2]) cluster.pods.add(web(`p${i}`, `n${i}`));
    cluster.updateNode(node('n0', 'a', { pool: 'x' }));
    const counter = index.domainCounter('web', isWeb, 'zone', onPoolX);
    expect([counter.total, counter.memberDomains]).toEqual([1, 1]);
    cluster.updateNode(node('n2', 'b', { pool: 'x' }));
    expect([counter.total, counter.memberDomains]).toEqual([2, 2]);
    cluster.updateNode(node('n0', 'a'));
    expect([counter.total, counter.memberDomains]).toEqual([1, 1]);
    expect(index.domainCounter('web', isWeb, 'zone', onPoolX)).toBe(counter);
    expect(index.domainCounter('web', isWeb, 'zone').total).toBe(3);
  });

  test('go on when the table grows', () => {
    const { cluster, inZones } = start();
    cluster.pods.add(web('p', 'n2'));
    expect(inZones()).toEqual([0, 0, 1]);
    for (let i = 3; i < 70; i++) {
      cluster.addNode(node(`n${i}`, 'b'));
      cluster.pods.add(web(`p${i}`, `n${i}`));
    }
    expect(inZones()).toEqual([0, 0, 68]);
  });
});

describe('terms of pods on nodes', () => {
  const totals = ({ index }: ReturnType<typeof start>) => index.ownedTerms.list.map(({ owners }) => owners.total);

  test('are counted from the first pod that brings one', () => {
    const all = start();
    all.cluster.pods.add(friendly('a', 'n0'));
    expect(totals(all)).toEqual([1]);
    all.cluster.pods.add(friendly('b', 'n2'));
    expect(totals(all)).toEqual([2]);
    all.cluster.pods.remove('default', 'a');
    expect(totals(all)).toEqual([1]);
  });

  test('are given up, with their counters, when their pods are gone', () => {
    const { cluster, index } = start();
    cluster.pods.add(friendly('a', 'n0'));
    expect([index.size, index.ownedTerms.list.length]).toEqual([1, 1]);
    cluster.pods.remove('default', 'a');
    index.dropUnusedTerms();
    expect([index.size, index.ownedTerms.list.length]).toEqual([0, 0]);
  });
});

describe('counters', () => {
  test('with marks count the same pods as without', () => {
    const { cluster, index } = start();
    const webPod = (name: string) => web(name, 'n0', { app: 'web', tier: 'x' });
    const labelled = (): number => index.podCounter('marked', isWeb, ['app=web', 'app=db']).total;
    cluster.pods.add(webPod('early'));
    expect(labelled()).toBe(1);
    cluster.pods.add(webPod('late'));
    cluster.pods.add(web('other', 'n1', { app: 'cache' }));
    expect([labelled(), index.podCounter('unmarked', isWeb).total]).toEqual([2, 2]);
    cluster.pods.remove('default', 'early');
    expect([labelled(), index.podCounter('unmarked', isWeb).total]).toEqual([1, 1]);
  });
});

describe('nodes', () => {
  test('with a hostname are domains of their own, by slot', () => {
    const { cluster, index } = start();
    cluster.updateNode(node('n1', 'a', { [HOSTNAME_LABEL]: 'h' }));
    const slots = index.hostSlots();
    expect([...slots.values.subarray(0, 4)]).toEqual([NO_DOMAIN, 1, NO_DOMAIN, NO_DOMAIN]);
    cluster.addNode(node('n3', 'a', { [HOSTNAME_LABEL]: 'h' }));
    cluster.removeNode('n1');
    expect([...index.hostSlots().values.subarray(0, 4)]).toEqual([NO_DOMAIN, NO_DOMAIN, NO_DOMAIN, 3]);
    expect(index.hostSlots()).toBe(slots);
  });

  test('that come, change or go are another version', () => {
    const { cluster, index } = start();
    const versions = [index.nodesVersion];
    const note = () => versions.push(index.nodesVersion);
    cluster.addNode(node('n3'));
    note();
    cluster.updateNode(node('n3', 'a'));
    note();
    cluster.removeNode('n3');
    note();
    expect(new Set(versions).size).toBe(4);
    cluster.pods.add(web('p', 'n0'));
    expect(index.nodesVersion).toBe(versions.at(-1));
    expect(index.nodeCount).toBe(3);
  });
});

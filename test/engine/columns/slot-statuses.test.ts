import { expect, test } from 'vitest';
import { Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeVolume, podWithClaims } from '../../builders/make-storage.ts';

/** Rejected by one node each: a taint, too little cpu, the volume's zone, and the spread of the labels. */
function scheduler(): Scheduler {
  const scheduler = new Scheduler({ engine: 'simd' });
  const labels = { zone: 'a', rack: 'r' };
  scheduler.addNode(makeNode('tainted', { labels, taints: [{ key: 'k', value: '', effect: 'NoSchedule' }] }));
  scheduler.addNode(makeNode('small', { labels, cpu: 0 }));
  scheduler.addNode(makeNode('far', { labels: { ...labels, zone: 'b' } }));
  scheduler.addNode(makeNode('unlabelled', { labels: { zone: 'a' } }));
  scheduler.setObject('PersistentVolume', makeVolume('v', { zone: 'a' }));
  scheduler.setObject('PersistentVolumeClaim', makeClaim('c', { volume: 'v' }));
  return scheduler;
}

test('a node has the status of the filter that comes first', () => {
  const { metadata, spec } = podWithClaims('p', ['c']);
  const topologySpreadConstraints = [
    { maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: {} },
  ];
  const containers = [{ name: 'c', resources: { requests: { cpu: 1 } } }];
  const { nodes } = scheduler().explain({ metadata, spec: { ...spec, containers, topologySpreadConstraints } });
  expect(nodes.map(({ node, rejected }) => [node, rejected?.plugin])).toEqual([
    ['tainted', 'TaintToleration'],
    ['small', 'NodeResourcesFit'],
    ['far', 'VolumeBinding'],
    ['unlabelled', 'PodTopologySpread'],
  ]);
});

import { describe, expect, it } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import {
  nodeSchedulingPropertiesChange,
  podSchedulingPropertiesChange,
} from '../../../src/scheduler/queue/cluster-events.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const labelsOf = (events: readonly { readonly label: string }[]): string[] => events.map(({ label }) => label);

const ready = (status: string, lastHeartbeatTime = '') => [{ type: 'Ready', status, lastHeartbeatTime }];
const withPodStatus = (pod: Pod, status: Pod['status']): Pod => ({ ...pod, status: { ...pod.status, ...status } });
const withStatus = (status: Node['status']): Node => ({
  ...makeNode('n'),
  status: { ...makeNode('n').status, ...status },
});

describe('nodeSchedulingPropertiesChange', () => {
  it.each<[string, Node, Node, string[]]>([
    ['nothing', makeNode('n'), makeNode('n'), []],
    ['a heartbeat', withStatus({ conditions: ready('True', 'a') }), withStatus({ conditions: ready('True', 'b') }), []],
    ['images', makeNode('n'), makeNode('n', { images: { app: 1 } }), []],
    ['cordoned', makeNode('n'), makeNode('n', { unschedulable: true }), []],
    ['uncordoned', makeNode('n', { unschedulable: true }), makeNode('n'), ['NodeUpdateNodeTaint']],
    ['allocatable', makeNode('n'), makeNode('n', { cpu: 8 }), ['NodeUpdateNodeAllocatable']],
    ['labels', makeNode('n'), makeNode('n', { labels: { a: 'b' } }), ['NodeUpdateNodeLabel']],
    ['a condition', makeNode('n'), withStatus({ conditions: ready('False') }), ['NodeUpdateNodeCondition']],
    ['features', makeNode('n'), makeNode('n', { features: ['F'] }), ['NodeUpdateNodeDeclaredFeature']],
    [
      'annotations',
      makeNode('n'),
      { ...makeNode('n'), metadata: { name: 'n', labels: {}, annotations: { a: 'b' } } },
      ['NodeUpdateNodeAnnotation'],
    ],
    [
      'several things',
      makeNode('n', { unschedulable: true, taints: [{ key: 'k', effect: 'NoSchedule' }] }),
      makeNode('n', { cpu: 8, labels: { a: 'b' } }),
      ['NodeUpdateNodeTaint', 'NodeUpdateNodeAllocatable', 'NodeUpdateNodeLabel', 'NodeUpdateNodeTaint'],
    ],
  ])('%s', (_what, before, after, expected) => {
    expect(labelsOf(nodeSchedulingPropertiesChange(before, after))).toEqual(expected);
  });
});

const labelled = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, labels: { a: 'b' } } });

describe('podSchedulingPropertiesChange', () => {
  it.each<[string, Pod, Pod, string[]]>([
    ['its status', makePod('p'), makePod('p', { status: { phase: 'Pending' } }), ['UnschedulablePodUpdate']],
    ['labels', makePod('p'), labelled(makePod('p')), ['UnschedulablePodUpdatePodLabel']],
    [
      'labels on a node',
      makePod('p', { nodeName: 'n' }),
      labelled(makePod('p', { nodeName: 'n' })),
      ['AssignedPodUpdatePodLabel'],
    ],
    [
      'a lower request',
      makePod('p', { requests: { cpu: 2, memory: 1 } }),
      makePod('p', { requests: { cpu: 1, memory: 2 } }),
      ['UnschedulablePodUpdatePodScaleDown'],
    ],
    [
      'a request that is gone',
      makePod('p', { requests: { 'example.com/gpu': 1 } }),
      makePod('p'),
      ['UnschedulablePodUpdatePodScaleDown'],
    ],
    [
      'a request of nothing that is gone',
      makePod('p', { requests: { cpu: 0 } }),
      makePod('p'),
      ['UnschedulablePodUpdatePodScaleDown'],
    ],
    [
      'a request that is lower by thousandths',
      makePod('p', { requests: { memory: '1500m' } }),
      makePod('p', { requests: { memory: '1200m' } }),
      ['UnschedulablePodUpdatePodScaleDown'],
    ],
    [
      'a lower request of something unknown',
      makePod('p', { requests: { foo: 2 } }),
      makePod('p', { requests: { foo: 1 } }),
      ['UnschedulablePodUpdatePodScaleDown'],
    ],
    [
      'a request that is lower by less than a thousandth',
      makePod('p', { requests: { cpu: '1500u' } }),
      makePod('p', { requests: { cpu: '1200u' } }),
      ['UnschedulablePodUpdate'],
    ],
    [
      'a higher request',
      makePod('p', { requests: { cpu: 1 } }),
      makePod('p', { requests: { cpu: 2 } }),
      ['UnschedulablePodUpdate'],
    ],
    [
      'one gate of two',
      makePod('p', { gates: ['a', 'b'] }),
      makePod('p', { gates: ['a'] }),
      ['UnschedulablePodUpdate'],
    ],
    [
      'the last gate',
      makePod('p', { gates: ['a'] }),
      makePod('p'),
      ['UnschedulablePodUpdatePodSchedulingGatesEliminated'],
    ],
    [
      'labels and tolerations',
      makePod('p'),
      labelled(makePod('p', { tolerations: [{ key: 'k' }] })),
      ['UnschedulablePodUpdatePodLabel', 'UnschedulablePodUpdatePodToleration'],
    ],
    [
      'tolerations and the names of claims',
      makePod('p'),
      withPodStatus(makePod('p', { tolerations: [{ key: 'k' }] }), { resourceClaimStatuses: [{ name: 'c' }] }),
      ['UnschedulablePodUpdatePodToleration', 'UnschedulablePodUpdatePodGeneratedResourceClaim'],
    ],
    [
      'the claim for extended resources',
      makePod('p'),
      withPodStatus(makePod('p'), { extendedResourceClaimStatus: { resourceClaimName: 'c', requestMappings: [] } }),
      ['UnschedulablePodUpdatePodGeneratedResourceClaim'],
    ],
    ['an empty list of tolerations', makePod('p'), makePod('p', { tolerations: [] }), ['UnschedulablePodUpdate']],
    ['where it may go', makePod('p'), makePod('p', { nodeSelector: { a: 'b' } }), ['UnschedulablePodUpdate']],
  ])('%s', (_what, before, after, expected) => {
    expect(labelsOf(podSchedulingPropertiesChange(before, after))).toEqual(expected);
  });
});

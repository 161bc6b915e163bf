import { describe, expect, test } from 'vitest';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import { NodeDeclaredFeatures } from '../../../src/plugins/node-declared-features/plugin.ts';
import { makeNodeInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { filterVerdict } from '../ask-plugin.ts';

const FEATURE = 'RestartAllContainersOnContainerExits';
const rules = [{ action: 'Restart' }, { action: 'RestartAllContainers' }];

describe('NodeDeclaredFeatures', () => {
  const able = makeNodeInfo(makeNode('able', { features: ['Other', FEATURE] }));
  const unable = makeNodeInfo(makeNode('unable', { features: ['Other'] }));

  test('is skipped for pods that need nothing special', () => {
    const restarting = makePod('p', { spec: { containers: [{ restartPolicyRules: [{ action: 'Restart' }] }] } });
    expect(filterVerdict(new NodeDeclaredFeatures(), makePod('p'), unable)).toBe('skipped');
    expect(filterVerdict(new NodeDeclaredFeatures(), restarting, unable)).toBe('skipped');
  });

  test.each(['containers', 'initContainers'])('wants the feature declared that %s need', (kind) => {
    const pod = makePod('p', { spec: { [kind]: [{}, { restartPolicyRules: rules }] } });
    expect(filterVerdict(new NodeDeclaredFeatures(), pod, able)).toBe('fits');
    expect(filterVerdict(new NodeDeclaredFeatures(), pod, unable)).toBe(
      "UnschedulableAndUnresolvable: node(s) didn't match Pod's required features",
    );
    expect(filterVerdict(new NodeDeclaredFeatures(), pod, makeNodeInfo({ metadata: { name: 'n' } }))).toMatch(/^Unsch/);
  });

  test('wants the feature declared that pods need with the network of the host, but not its users', () => {
    const joined = makeNodeInfo(makeNode('joined', { features: ['UserNamespacesHostNetworkSupport'] }));
    const verdict = (hostNetwork: boolean, hostUsers: boolean, node: NodeInfo): string =>
      filterVerdict(new NodeDeclaredFeatures(), makePod('p', { spec: { hostNetwork, hostUsers } }), node);
    expect(verdict(true, false, joined)).toBe('fits');
    expect(verdict(true, false, able)).toMatch(/^Unschedulable/);
    expect(verdict(true, true, able)).toBe('skipped');
    expect(verdict(false, false, able)).toBe('skipped');
  });
});

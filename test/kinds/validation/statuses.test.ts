import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { validatorOf } from '../../../src/kinds/validation/validators.ts';
import { kindProblems } from './kind-problems.ts';

const problems = (kind: string, status: JsonObject, old: JsonObject = {}, metadata: JsonObject = {}): string[] => {
  const check = validatorOf(kind)?.subresources?.['status'];
  const found = check?.({ metadata, status }, { status: old }) ?? [];
  return found.map(({ field, message }) => `${field}: ${message}`);
};

describe('the status', () => {
  it('of a deployment has counts that agree', () => {
    expect(problems('Deployment', { replicas: 3, readyReplicas: 2, availableReplicas: 2 })).toEqual([]);
    expect(problems('Deployment', { replicas: 1, updatedReplicas: 2, availableReplicas: 1 })).toEqual([
      'status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas',
    ]);
    expect(problems('Deployment', { collisionCount: 1 }, { collisionCount: 2 })).toEqual([
      'status.collisionCount: Invalid value: 1: cannot be decremented',
    ]);
  });

  it.each([
    ['ReplicaSet', { fullyLabeledReplicas: 1 }, 'status.fullyLabeledReplicas: Invalid value: 1'],
    ['ReplicationController', { readyReplicas: -1 }, 'status.readyReplicas: Invalid value: -1'],
    ['StatefulSet', { currentReplicas: 1 }, 'status.currentReplicas: Invalid value: 1'],
    ['DaemonSet', { numberReady: -1 }, 'status.numberReady: Invalid value: -1'],
    ['PodDisruptionBudget', { expectedPods: -1 }, 'status.expectedPods: Invalid value: -1'],
  ])('of a %s is checked', (kind, status, problem) => {
    expect(problems(kind, status)[0]).toContain(problem);
  });

  it('of a budget has conditions that are whole', () => {
    const condition = { type: 'A', status: 'True', reason: 'R:x', lastTransitionTime: '2026-01-01T00:00:00Z' };
    expect(problems('PodDisruptionBudget', { conditions: [condition] })).toEqual([]);
    const bare = { type: 'A', status: 'Maybe', observedGeneration: -1, reason: 'not one' };
    expect(problems('PodDisruptionBudget', { conditions: [condition, bare], expectedPods: -1 })).toEqual([
      'status.conditions[1].type: Duplicate value: "A"',
      'status.conditions[1].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
      'status.conditions[1].observedGeneration: Invalid value: -1: must be greater than or equal to zero',
      'status.conditions[1].lastTransitionTime: Required value: must be set',
      expect.stringMatching(/^status\.conditions\[1\]\.reason: Invalid value: "not one": a condition reason must/),
      expect.stringContaining('status.expectedPods'),
    ]);
    const long = { ...condition, message: 'm'.repeat(32_769), reason: '' };
    expect(problems('PodDisruptionBudget', { conditions: [long] })).toEqual([
      'status.conditions[0].reason: Required value: must be set',
      'status.conditions[0].message: Too long: may not be more than 32768 bytes',
    ]);
  });

  it('of a namespace says whether it is being deleted', () => {
    expect(problems('Namespace', { phase: 'Active' })).toEqual([]);
    expect(problems('Namespace', { phase: 'Terminating' })).toEqual([
      'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
    ]);
    expect(problems('Namespace', { phase: 'Terminating' }, {}, { deletionTimestamp: 'now' })).toEqual([]);
  });

  it('of a pod has one address of each family', () => {
    expect(problems('Pod', { podIPs: [{ ip: '1.1.1.1' }, { ip: '1.1.1.2' }] })).toEqual([
      'status.podIPs: Invalid value: [{"IP":"1.1.1.1"},{"IP":"1.1.1.2"}]: ' +
        'may specify no more than one IP for each IP family',
    ]);
    expect(problems('Pod', { hostIP: '1.1.1.2', hostIPs: [{ ip: '1.1.1.1' }] })).toEqual([
      'status.hostIPs[0].ip: Invalid value: "1.1.1.1": must be equal to `hostIP`',
    ]);
  });
});

describe('a node', () => {
  const ofNode = (node: JsonObject, old?: JsonObject): string[] => kindProblems('v1', 'Node', node, old);

  it('has amounts and taints that are valid', () => {
    expect(ofNode({ status: { allocatable: { pods: '1500m' } } })).toEqual([
      'status.allocatable.pods: Invalid value: "1500m": must be an integer',
    ]);
    const [problem] = ofNode({ spec: { taints: [{ key: 'a', value: 'b c', effect: 'NoSchedule' }] } });
    expect(problem).toMatch(/^metadata\.taints\[0\]\.value: Invalid value: "b c": a valid label must be/);
  });

  it('that is updated has each address once', () => {
    const address = { type: 'InternalIP', address: '1.1.1.1' };
    expect(ofNode({ status: { addresses: [address, address] } }, {})).toEqual([
      'status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"1.1.1.1"}',
    ]);
  });
});

it('a stateful set keeps some pods when it rolls', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'x' }] } };
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } };
  const spec = { selector: { matchLabels: { a: 'b' } }, template, updateStrategy };
  expect(kindProblems('apps/v1', 'StatefulSet', { spec })).toEqual([
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0',
  ]);
});

import { describe, expect, it } from 'vitest';
import { validateNode } from '../../../src/api/validation/node.ts';

function problem(rest: object): string {
  const { field, reason } = validateNode({ metadata: { name: 'n1' }, ...rest })[0] ?? { field: '', reason: 'none' };
  return `${field}: ${reason}`;
}

describe('validateNode', () => {
  it('accepts a node as an API server gives it', () => {
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'ip-10-0-0-1.ec2.internal', labels: { 'topology.kubernetes.io/zone': 'a' } },
      spec: {
        podCIDR: '10.0.0.0/24',
        unschedulable: true,
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', value: 'v', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' },
        ],
      },
      status: {
        allocatable: { cpu: '3920m', memory: '15543452Ki', pods: 110, 'attachable-volumes-aws-ebs': '39' },
        capacity: { 'nvidia.com/gpu': '8' },
        images: [{ names: ['a:1'], sizeBytes: 5 }],
        declaredFeatures: ['X'],
      },
    };
    expect(validateNode(node)).toEqual([]);
    expect(validateNode({ metadata: { name: 'n' } })).toEqual([]);
  });

  it.each<[object, RegExp]>([
    [{ spec: { unschedulable: 'yes' } }, /^spec\.unschedulable: must be true or false/],
    [{ spec: { taints: [{ key: 'a', effect: 'NoRun' }] } }, /^spec\.taints\[0\]\.effect: unknown taint effect "NoRun"/],
    [{ spec: { taints: [{ effect: 'NoSchedule' }] } }, /^spec\.taints\[0\]\.key: is required$/],
    [
      {
        spec: {
          taints: [
            { key: 'a', effect: 'NoSchedule' },
            { key: 'a', value: 'b', effect: 'NoSchedule' },
          ],
        },
      },
      /^spec\.taints\[1\]: duplicate taint "a:NoSchedule"$/,
    ],
    [{ status: { allocatable: { cpu: '4 cores' } } }, /^status\.allocatable\.cpu: malformed quantity "4 cores"/],
    [{ status: { allocatable: { pods: '1500m' } } }, /^status\.allocatable\.pods: must be a whole number/],
    [{ status: { capacity: { memory: -1 } } }, /^status\.capacity\.memory: negative quantity -1$/],
    [{ status: { images: [{ sizeBytes: '5' }] } }, /^status\.images\[0\]\.sizeBytes: must be an integer/],
    [{ metadata: { name: 'N1' } }, /^metadata\.name: bad name "N1"/],
    [{ status: [] }, /^status: must be an object, not a list$/],
  ])('refuses %j', (rest, expected) => {
    expect(problem(rest)).toMatch(expected);
  });
});

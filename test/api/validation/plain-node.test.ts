import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import { validateNode } from '../../../src/api/validation/node.ts';
import { isPlainNode } from '../../../src/api/validation/plain-node.ts';
import { nodeStructure } from '../../../src/api/validation/structure.ts';
import { ObjectChecks } from '../../../src/caller/object-checks.ts';
import { jsonFormOf } from '../../../src/lib/json-form.ts';
import { arbitraryNode, PLAIN_AMOUNTS } from '../../builders/arbitrary-cluster.ts';
import { runs } from '../../builders/runs.ts';
import { arbitraryBadValue, spoiled } from '../../core/spoil.ts';

const numRuns = runs(300);

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'n-1',
    uid: 'u',
    labels: { disk: 'ssd', 'example.com/a': '', b: 'A_b-c.D' },
    annotations: { a: '' },
  },
  spec: { unschedulable: false, taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }] },
  status: {
    allocatable: { cpu: '1500m', memory: '4Gi', pods: '110', 'example.com/gpu': '1k' },
    capacity: { cpu: '2', memory: '7500M' },
    images: [{ names: ['a:1', 'b'], sizeBytes: 5 }],
    declaredFeatures: ['X'],
  },
} as Node;

describe('a node that is valid at a glance', () => {
  it('passes all checks, and holds no null', () => {
    let plain = 0;
    const nodes = fc.record({
      node: arbitraryNode(PLAIN_AMOUNTS),
      name: fc.constantFrom<unknown>('n1', 'n-2', 'n-2.example.com', 'Bad_Name', '', 7, null),
      extra: fc.constantFrom<object>({}, { podCIDR: '10.0.0.0/24' }, { taints: [{ key: 'a', effect: 'Never' }] }),
      place: fc.nat(60),
      bad: arbitraryBadValue,
    });
    fc.assert(
      fc.property(nodes, ({ node, name, extra, place, bad }) => {
        const named = {
          ...node,
          metadata: { ...node.metadata, name, ownerReferences: undefined },
          spec: { ...node.spec, ...extra },
        };
        for (const given of [named, spoiled(named, place, bad), spoiled(NODE, place, bad)]) {
          if (!isPlainNode(given)) continue;
          plain++;
          expect([...validateNode(given), ...nodeStructure(given), jsonFormOf(given)]).toEqual(['plain']);
          expect(new ObjectChecks(true).checkNode(given as Node)).toBe(given);
        }
      }),
      { numRuns },
    );
    expect(plain).toBeGreaterThan(numRuns / 20);
  });

  it('is one as API servers give it', () => {
    expect(isPlainNode(NODE)).toBe(true);
    const creationTimestamp = '2026-01-01T00:00:00Z';
    expect(isPlainNode({ ...NODE, metadata: { ...NODE.metadata, creationTimestamp } })).toBe(true);
  });

  it.each<[string, object]>([
    ['a part of a device', { status: { allocatable: { 'example.com/gpu': '1500m' } } }],
    ['an amount without a value', { status: { allocatable: { cpu: undefined } } }],
    ['a negative amount', { status: { capacity: { cpu: '-1' } } }],
    ['a suffix alone', { status: { allocatable: { memory: 'Mi' } } }],
    ['a key that is none', { status: { allocatable: { 'a b': '1' } } }],
    ['no feature', { status: { declaredFeatures: [''] } }],
    ['a negative size', { status: { images: [{ names: [], sizeBytes: -1 }] } }],
    ['a null', { status: { nodeInfo: { machineID: null } } }],
    ['another kind', { kind: 'Pod' }],
    ['a value with a sign at its end', { metadata: { name: 'n', labels: { a: 'b-' } } }],
    ['a time that is none', { metadata: { name: 'n', creationTimestamp: '2026-13-01T00:00:00Z' } }],
    ['two owners', { metadata: { name: 'n', ownerReferences: [{}, {}] } }],
  ])('is none with %s', (_, part) => {
    expect(isPlainNode({ ...NODE, ...part })).toBe(false);
  });
});

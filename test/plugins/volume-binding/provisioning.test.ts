import { describe, expect, it } from 'vitest';
import type { CSIStorageCapacity, StorageClass, TopologySelectorTerm } from '../../../src/api/storage.ts';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import { checkProvisioning } from '../../../src/plugins/volume-binding/provisioning.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeStorageClass } from '../../builders/make-storage.ts';

const node = makeNode('n', { labels: { zone: 'a', rack: '1' } });
const claim = makeClaim('c', { size: '10Gi' });

function objectsWith(over: Partial<StorageClass> = {}, ...capacities: readonly CSIStorageCapacity[]): ClusterObjects {
  const objects = new ClusterObjects();
  objects.set('StorageClass', makeStorageClass('wait', { provisioner: 'csi.example', ...over }));
  for (const [i, capacity] of capacities.entries()) {
    objects.set('CSIStorageCapacity', { metadata: { name: `c${i}` }, storageClassName: 'wait', ...capacity });
  }
  if (capacities.length > 0) {
    objects.set('CSIDriver', { metadata: { name: 'csi.example' }, spec: { storageCapacity: true } });
  }
  return objects;
}

describe('checkProvisioning', () => {
  it('needs a provisioner', () => {
    expect(checkProvisioning(claim, node, objectsWith())).toBe('possible');
    expect(checkProvisioning(claim, node, objectsWith({ provisioner: '' }))).toBe('impossible');
    const byHand = objectsWith({ provisioner: 'kubernetes.io/no-provisioner' });
    expect(checkProvisioning(claim, node, byHand)).toBe('impossible');
  });

  it('needs a class', () => {
    expect(checkProvisioning(makeClaim('c', { className: '' }), node, objectsWith())).toEqual({
      error: 'no class for claim "default/c"',
    });
    expect(checkProvisioning(makeClaim('c', { className: 'x' }), node, objectsWith())).toEqual({
      error: 'failed to find storage class "x"',
    });
  });
});

describe('allowed topologies', () => {
  const term = (...expressions: readonly [key: string, ...values: string[]][]): TopologySelectorTerm => ({
    matchLabelExpressions: expressions.map(([key, ...values]) => ({ key, values })),
  });

  it.each<[string, readonly TopologySelectorTerm[] | null, string]>([
    ['none', null, 'possible'],
    ['an empty list', [], 'possible'],
    ['one value of several', [term(['zone', 'b', 'a'])], 'possible'],
    ['another zone', [term(['zone', 'b'])], 'impossible'],
    ['a label that the node lacks', [term(['row', '1'])], 'impossible'],
    ['every key of a term', [term(['zone', 'a'], ['rack', '2'])], 'impossible'],
    ['one term of several', [term(['zone', 'b']), term(['zone', 'a'], ['rack', '1'])], 'possible'],
    ['an empty term', [term()], 'impossible'],
    ['a malformed term beside a good one', [term(['not a key!', 'a']), term(['zone', 'a'])], 'possible'],
    ['a term without values', [term(['zone'])], 'impossible'],
  ])('%s: %s', (_, allowedTopologies, expected) => {
    expect(checkProvisioning(claim, node, objectsWith({ allowedTopologies }))).toBe(expected);
  });
});

describe('storage capacity', () => {
  const here = { nodeTopology: { matchLabels: { zone: 'a' } } };

  it.each<[string, CSIStorageCapacity, string]>([
    ['just enough', { ...here, capacity: '10Gi' }, 'possible'],
    ['a byte short', { ...here, capacity: '10737418239' }, 'no space'],
    ['everywhere', { nodeTopology: {}, capacity: '10Gi' }, 'possible'],
    ['elsewhere', { nodeTopology: { matchLabels: { zone: 'b' } }, capacity: '10Gi' }, 'no space'],
    ['nowhere', { nodeTopology: null, capacity: '10Gi' }, 'no space'],
    ['of another class', { ...here, capacity: '10Gi', storageClassName: 'other' }, 'no space'],
    ['unknown', { ...here }, 'no space'],
    ['in volumes that are too small', { ...here, capacity: '90Gi', maximumVolumeSize: '5Gi' }, 'no space'],
    ['in volumes that are large enough', { ...here, capacity: '1Gi', maximumVolumeSize: '10Gi' }, 'possible'],
    ['under a malformed selector', { nodeTopology: { matchLabels: { '!': '' } }, capacity: '10Gi' }, 'no space'],
  ])('%s', (_, capacity, expected) => {
    expect(checkProvisioning(claim, node, objectsWith({}, capacity))).toBe(expected);
  });

  it('must be in one place', () => {
    const half = { ...here, capacity: '6Gi' };
    expect(checkProvisioning(claim, node, objectsWith({}, half, half))).toBe('no space');
    expect(checkProvisioning(claim, node, objectsWith({}, half, { ...here, capacity: '10Gi' }))).toBe('possible');
  });

  it('does not matter where the driver does not report it', () => {
    const objects = objectsWith({}, { ...here, capacity: '1Gi' });
    objects.set('CSIDriver', { metadata: { name: 'csi.example' }, spec: {} });
    expect(checkProvisioning(claim, node, objects)).toBe('possible');
    objects.remove('CSIDriver', 'csi.example');
    expect(checkProvisioning(claim, node, objects)).toBe('possible');
  });

  it('does not matter to a claim without a size', () => {
    const objects = objectsWith({}, { ...here, capacity: '1Gi' });
    expect(checkProvisioning(makeClaim('c', { spec: { resources: {} } }), node, objects)).toBe('possible');
  });
});

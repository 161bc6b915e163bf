import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/api/storage.ts';
import { isVolumeBoundToClaim } from '../../../src/api/volume-claims.ts';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import { CandidateVolumes } from '../../../src/plugins/volume-binding/candidate-volumes.ts';
import {
  bySize,
  findMatchingVolume,
  type UnboundClaim,
  unboundClaim,
} from '../../../src/plugins/volume-binding/volume-matching.ts';
import { isReachable } from '../../../src/plugins/volume-binding/volume-topology.ts';
import { makeNode } from '../../builders/make-node.ts';
import { type ClaimOptions, makeClaim, makeVolume, type VolumeOptions } from '../../builders/make-storage.ts';

const node = makeNode('n', { labels: { zone: 'a' } });

function waiting(claim: PersistentVolumeClaim, volumes: readonly PersistentVolume[]): UnboundClaim {
  const objects = new ClusterObjects();
  for (const volume of volumes) objects.set('PersistentVolume', volume);
  return unboundClaim(claim, new CandidateVolumes(objects, objects.assumed));
}

function choose(claim: ClaimOptions, ...volumes: readonly [name: string, options: VolumeOptions][]): string | null {
  const made = volumes.map(([name, options]) => makeVolume(name, options));
  return findMatchingVolume(waiting(makeClaim('c', claim), made), node, new Set())?.metadata?.name ?? null;
}

const keptFor = (name: string, over: VolumeOptions = {}): VolumeOptions => ({
  ...over,
  spec: { ...over.spec, claimRef: { namespace: 'default', name } },
});

describe('findMatchingVolume', () => {
  it('takes the smallest that is large enough, the first of equals', () => {
    expect(
      choose({ size: '2Gi' }, ['small', { size: '1Gi' }], ['large', { size: '9Gi' }], ['fits', { size: '3Gi' }]),
    ).toBe('fits');
    expect(choose({}, ['first', { size: '1024Mi' }], ['second', { size: '1Gi' }])).toBe('first');
    expect(choose({ size: '2Gi' }, ['small', { size: '1Gi' }])).toBeNull();
  });

  it.each<[string, ClaimOptions, VolumeOptions]>([
    ['out of reach', {}, { zone: 'b' }],
    ['not available', {}, { phase: 'Released' }],
    ['of another class', {}, { className: 'other' }],
    ['without an access mode', { spec: { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] } }, {}],
    ['of another mode', {}, { spec: { volumeMode: 'Block' } }],
    ['of other attributes', { spec: { volumeAttributesClassName: 'fast' } }, {}],
    ['not selected', { spec: { selector: { matchLabels: { disk: 'ssd' } } } }, { labels: { disk: 'hdd' } }],
    ['being deleted', {}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
    ['of another claim', {}, keptFor('d')],
  ])('passes over a volume %s', (_, claim, volume) => {
    expect(choose(claim, ['v', volume])).toBeNull();
    // What is wrong with it is what it says: nothing else keeps the claim from a volume.
    expect(choose({}, ['v', {}])).toBe('v');
  });

  it('takes what fits in every respect', () => {
    const spec = { accessModes: ['ReadOnlyMany'], volumeMode: 'Block', selector: { matchLabels: { disk: 'ssd' } } };
    const volume = { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], volumeMode: 'Block' };
    expect(choose({ spec }, ['v', { labels: { disk: 'ssd' }, zone: 'a', spec: volume }])).toBe('v');
    expect(choose({ spec: { volumeMode: 'Filesystem', selector: null } }, ['v', {}])).toBe('v');
  });

  it('prefers a volume that is kept for the claim, whatever its phase and access modes', () => {
    const kept = keptFor('c', { size: '9Gi', phase: 'Bound', spec: { accessModes: [] } });
    expect(choose({}, ['free', {}], ['kept', kept])).toBe('kept');
  });

  it('takes no other where the volume that is kept cannot be reached', () => {
    expect(choose({}, ['free', {}], ['kept', keptFor('c', { zone: 'b' })])).toBeNull();
  });

  it('forgets a volume that is kept but too small', () => {
    expect(choose({ size: '2Gi' }, ['free', { size: '2Gi' }], ['kept', keptFor('c')])).toBe('free');
  });

  it('forgets a volume that is kept but of other attributes', () => {
    const gold = { volumeAttributesClassName: 'gold' };
    expect(choose({}, ['free', {}], ['kept', keptFor('c', { spec: gold })])).toBe('free');
    expect(choose({}, ['kept', keptFor('c', { spec: gold })])).toBeNull();
    expect(choose({ spec: gold }, ['kept', keptFor('c', { spec: gold })])).toBe('kept');
  });

  it('leaves out what another claim of the pod gets', () => {
    const [a, b] = [makeVolume('a'), makeVolume('b', { size: '2Gi' })];
    expect(findMatchingVolume(waiting(makeClaim('c'), [a, b]), node, new Set([a]))).toBe(b);
    expect(findMatchingVolume(waiting(makeClaim('c'), [a, b]), node, new Set([a, b]))).toBeNull();
  });

  it('reports a malformed selector', () => {
    const selector = { matchExpressions: [{ key: 'a', operator: 'Near' }] };
    const { error } = waiting(makeClaim('c', { spec: { selector } }), [makeVolume('v')]);
    expect(error).toBe(
      'error creating internal label selector for claim: default/c: "Near" is not a valid label selector operator',
    );
  });
});

describe('bySize', () => {
  it('puts the smallest request first', () => {
    const claims = ['2Gi', '500Mi', '1Gi'].map((size) => waiting(makeClaim(size, { size }), []));
    expect(claims.sort(bySize).map(({ claim }) => claim.metadata?.name)).toEqual(['500Mi', '1Gi', '2Gi']);
  });
});

/** Upstream's one loop over all volumes, as it stands there. */
function model(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  { metadata }: Node,
  taken: ReadonlySet<PersistentVolume>,
): PersistentVolume | null {
  const gi = (size: unknown): number => Number(String(size).replace('Gi', ''));
  const request = gi(claim.spec?.resources?.requests?.['storage']);
  let smallest: PersistentVolume | null = null;
  for (const volume of volumes) {
    if (taken.has(volume)) continue;
    if (volume.spec?.claimRef && !isVolumeBoundToClaim(volume, claim)) continue;
    const capacity = gi(volume.spec?.capacity?.['storage']);
    if (capacity < request) continue;
    const zone = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms?.[0]?.matchExpressions?.[0]?.values?.[0];
    const reachable = zone === undefined || zone === metadata?.labels?.['zone'];
    if (isVolumeBoundToClaim(volume, claim)) return reachable ? volume : null;
    if (volume.status?.phase !== 'Available' || !reachable) continue;
    if (smallest === null || gi(smallest.spec?.capacity?.['storage']) > capacity) smallest = volume;
  }
  return smallest;
}

const mostly = fc.record({
  key: fc.constantFrom('zone', 'disk'),
  operator: fc.constantFrom('In', 'In', 'NotIn'),
  values: fc.subarray(['a', 'b'], { minLength: 1 }),
});
const seldom = fc.record({
  key: fc.constantFrom('zone', 'disk', 'not a key'),
  operator: fc.constantFrom('In', 'Exists', 'DoesNotExist', 'Gt', 'Near'),
  values: fc.array(fc.constantFrom('a', '7', 'not a value!'), { maxLength: 2 }),
});
const expression = fc.oneof({ weight: 3, arbitrary: mostly }, { weight: 1, arbitrary: seldom });
const term = fc.record(
  {
    matchExpressions: fc.array(expression, { maxLength: 2 }),
    matchFields: fc.constant([{ key: 'metadata.name', operator: 'In', values: ['n'] }]),
  },
  { requiredKeys: [] },
);

/** A mistake in one value makes the whole term match nothing. */
const WITH_A_MISTAKE: typeof term extends fc.Arbitrary<infer T> ? T : never = {
  matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'not a value!'] }],
};

it('is given on a node exactly if it can be reached from there, whatever its affinity says', () => {
  const labels = fc.dictionary(fc.constantFrom('zone', 'disk', 'not a key'), fc.constantFrom('a', 'b', '7'));
  fc.assert(
    fc.property(fc.array(term, { maxLength: 2 }), labels, (nodeSelectorTerms, own) => {
      const made = makeVolume('v');
      const nodeAffinity = { required: { nodeSelectorTerms } };
      const volume = { ...made, spec: { ...made.spec, nodeAffinity } } as PersistentVolume;
      const on = makeNode('n', { labels: own });
      const found = findMatchingVolume(waiting(makeClaim('c'), [volume]), on, new Set());
      expect(found === volume).toBe(isReachable(volume, on));
    }),
    { numRuns: 1000, examples: [[[WITH_A_MISTAKE], { zone: 'a' }]] },
  );
});

describe('any set of volumes', () => {
  const size = fc.constantFrom('1Gi', '2Gi', '3Gi');
  const volume = fc
    .record({
      size,
      zone: fc.constantFrom(undefined, 'a', 'b'),
      phase: fc.constantFrom('Available', 'Available', 'Bound'),
      claimRef: fc.constantFrom(
        null,
        null,
        null,
        { name: 'c', namespace: 'default' },
        { name: 'd', namespace: 'default' },
      ),
      taken: fc.constantFrom(false, false, true),
    })
    .map(({ taken, zone, claimRef, ...rest }) => ({
      taken,
      made: (name: string) => makeVolume(name, { ...rest, ...(zone && { zone }), spec: { claimRef } }),
    }));

  it('is searched with the result of the plain loop', () => {
    fc.assert(
      fc.property(fc.array(volume, { maxLength: 8 }), size, (drawn, request) => {
        const volumes = drawn.map(({ made }, i) => made(`v${i}`));
        const taken = new Set(volumes.filter((_, i) => drawn[i]?.taken));
        const claim = makeClaim('c', { size: request });
        expect(findMatchingVolume(waiting(claim, volumes), node, taken)).toBe(model(claim, volumes, node, taken));
      }),
      { numRuns: 500 },
    );
  });
});

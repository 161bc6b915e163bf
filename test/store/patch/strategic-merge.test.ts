import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PodStatus } from '../../../src/api/pod.ts';
import { podStatusPatch } from '../../../src/api/pod-status-patch.ts';
import { mergePatch } from '../../../src/store/patch/merge-patch.ts';
import { strategicMerge } from '../../../src/store/patch/strategic-merge.ts';
import { refusal } from '../refusal.ts';

type Case = readonly [title: string, target: object, patch: object, expected: object];

const ready = { type: 'Ready', status: 'True', reason: 'Up' };
const scheduled = { type: 'PodScheduled', status: 'True' };
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name })) as [object, object, object, object];

const MAPS: readonly Case[] = [
  ['members are merged', { a: { x: 1, y: 2 } }, { a: { y: 3, z: 4 } }, { a: { x: 1, y: 3, z: 4 } }],
  ['null removes', { a: { x: 1 }, b: 1 }, { a: { x: null }, b: null }, { a: {} }],
  ['null in a new member says nothing', {}, { a: { x: null, y: 1 } }, { a: { y: 1 } }],
  ['$patch: replace', { a: { x: 1 } }, { a: { $patch: 'replace', y: 2 } }, { a: { y: 2 } }],
  ['$patch: delete', { a: { x: 1 } }, { a: { $patch: 'delete' } }, { a: {} }],
  ['$patch: merge', { a: { x: 1 } }, { a: { $patch: 'merge', y: 2 } }, { a: { x: 1, y: 2 } }],
  ['$retainKeys', { a: { x: 1, y: 2, z: 3 } }, { a: { $retainKeys: ['y', 'w'], w: 4 } }, { a: { y: 2, w: 4 } }],
  ['undefined is nothing', { a: 1 }, { a: undefined, metadata: undefined }, { a: 1 }],
];

const LISTS: readonly Case[] = [
  [
    'conditions are merged by type',
    { conditions: [ready, scheduled] },
    {
      conditions: [
        { type: 'Ready', status: 'False' },
        { type: 'New', status: 'True' },
      ],
    },
    { conditions: [{ ...ready, status: 'False' }, scheduled, { type: 'New', status: 'True' }] },
  ],
  [
    'an item is deleted by name',
    { containers: [a, b] },
    { containers: [{ $patch: 'delete', name: 'a' }] },
    { containers: [b] },
  ],
  [
    'deleting what is not there',
    { containers: [b] },
    { containers: [{ $patch: 'delete', name: 'a' }] },
    { containers: [b] },
  ],
  ['a whole list is replaced', { containers: [a, b] }, { containers: [{ $patch: 'replace' }, c] }, { containers: [c] }],
  [
    'lists in items of lists',
    { containers: [{ name: 'a', env: [{ name: 'X', value: '1' }], image: 'i' }] },
    { containers: [{ name: 'a', env: [{ name: 'Y', value: '2' }] }] },
    {
      containers: [
        {
          name: 'a',
          env: [
            { name: 'X', value: '1' },
            { name: 'Y', value: '2' },
          ],
          image: 'i',
        },
      ],
    },
  ],
  ['owners by uid', owners('1', '2'), { ownerReferences: [{ $patch: 'delete', uid: '1' }] }, owners('2')],
  [
    'ports by number',
    { ports: [{ containerPort: 1 }] },
    { ports: [{ containerPort: 2 }] },
    { ports: [{ containerPort: 1 }, { containerPort: 2 }] },
  ],
  [
    'tolerations are replaced',
    { tolerations: [{ key: 'a' }] },
    { tolerations: [{ key: 'b' }] },
    { tolerations: [{ key: 'b' }] },
  ],
  ['finalizers are a set', { finalizers: ['x', 'y'] }, { finalizers: ['y', 'z'] }, { finalizers: ['x', 'y', 'z'] }],
  [
    'items are taken out of a set',
    { finalizers: ['x', 'y'] },
    { '$deleteFromPrimitiveList/finalizers': ['x', 'q'] },
    { finalizers: ['y'] },
  ],
  ['a missing list has nothing to take out', {}, { '$deleteFromPrimitiveList/finalizers': ['x'] }, {}],
  ['an empty list changes nothing', { containers: [a] }, { containers: [] }, { containers: [a] }],
];

const ORDERS: readonly Case[] = [
  ['of items that stay', { containers: [a, b] }, { '$setElementOrder/containers': [b, a] }, { containers: [b, a] }],
  [
    'new items come where they are put',
    { containers: [a, b] },
    { '$setElementOrder/containers': [a, c, b], containers: [c] },
    { containers: [a, c, b] },
  ],
  [
    'items that the patch does not know stay before their successors',
    { containers: [d, a, b] },
    { '$setElementOrder/containers': [b, a, c], containers: [c] },
    { containers: [d, b, a, c] },
  ],
  ['others go to the end', { containers: [a, d] }, { '$setElementOrder/containers': [a] }, { containers: [a, d] }],
  ['a name said twice', { containers: [a, b] }, { '$setElementOrder/containers': [b, a, b] }, { containers: [b, a] }],
  ['of a set', { finalizers: ['x', 'y'] }, { '$setElementOrder/finalizers': ['y', 'x'] }, { finalizers: ['y', 'x'] }],
  ['of nothing', {}, { '$setElementOrder/containers': [a] }, {}],
];

function owners(...uids: readonly string[]): object {
  return { ownerReferences: uids.map((uid) => ({ uid, name: `owner-${uid}` })) };
}

describe('strategicMerge', () => {
  it.each([...MAPS, ...LISTS])('%s', (_, target, patch, expected) => {
    const before = structuredClone(target);
    expect(strategicMerge('pods', { ...target }, { ...patch })).toEqual(expected);
    expect(target).toEqual(before);
  });

  it.each(ORDERS)('order: %s', (_, target, patch, expected) => {
    expect(strategicMerge('pods', { ...target }, { ...patch })).toEqual(expected);
  });

  it('names ports of a service by what clients see', () => {
    const target = { spec: { ports: [{ port: 80, targetPort: 1 }] } };
    const patch = { spec: { ports: [{ port: 80, targetPort: 2 }, { port: 81 }] } };
    const expected = { spec: { ports: [{ port: 80, targetPort: 2 }, { port: 81 }] } };
    expect(strategicMerge('services', target, patch)).toEqual(expected);
  });

  it.each<[string, object, string]>([
    ['an item without name', { containers: [{ image: 'x' }] }, 'does not contain the merge key: name'],
    ['an item that is no object', { containers: ['x'] }, 'an item of containers in the patch is not an object'],
    ['an unknown directive', { $patch: 'explode' }, 'unknown $patch in the patch: "explode"'],
    ['an order that is no list', { '$setElementOrder/containers': 'a' }, 'must be a list'],
    ['an order of nameless things', { '$setElementOrder/tolerations': [] }, 'have no names to order them by'],
    ['removals that are no list', { '$deleteFromPrimitiveList/finalizers': 'a' }, 'must be a list'],
    ['kept keys that are no list', { $retainKeys: 'a' }, 'must be a list'],
  ])('refuses %s', (_, patch, message) => {
    const error = refusal(() => strategicMerge('pods', { containers: [a], tolerations: [] }, { ...patch }));
    expect(error.reason).toBe('BadRequest');
    expect(error.message).toContain(message);
  });

  it('is a merge patch where there are no lists', () => {
    const values = fc.oneof(fc.integer({ max: 3 }), fc.constant(null), fc.string({ maxLength: 1 }));
    const maps = fc.letrec<{ map: Record<string, unknown> }>((tie) => ({
      map: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof({ maxDepth: 2 }, values, tie('map')), { maxKeys: 3 }),
    })).map;
    fc.assert(
      fc.property(maps, maps, (target, patch) => {
        expect(strategicMerge('pods', target, patch)).toEqual(mergePatch(target, patch));
      }),
    );
  });

  it('makes of a status what its patch was made for', () => {
    const condition = fc.record({
      type: fc.constantFrom('Ready', 'PodScheduled', 'Initialized', 'DisruptionTarget'),
      status: fc.constantFrom('True', 'False'),
    });
    const status: fc.Arbitrary<PodStatus> = fc.record(
      {
        phase: fc.constantFrom('Pending', 'Running', 'Failed'),
        reason: fc.constantFrom('A', 'B'),
        conditions: fc.uniqueArray(condition, { selector: ({ type }) => type }),
        podIPs: fc.uniqueArray(
          fc.constantFrom('10.0.0.1', '10.0.0.2').map((ip) => ({ ip })),
          { selector: ({ ip }) => ip },
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(status, status, (before, after) => {
        const patch = podStatusPatch('uid', before, after);
        const merged =
          patch === undefined ? before : strategicMerge('pods', { ...before }, { ...(patch['status'] as object) });
        expect(merged).toEqual(after);
      }),
    );
  });
});

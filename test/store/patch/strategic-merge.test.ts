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
  ['$retainKeys', { a: { x: 1, y: 2, z: 3 } }, { a: { $retainKeys: ['y', 'w'], w: 4 } }, { a: { y: 2, w: 4 } }],
  ['$retainKeys and what goes', { a: { x: 1, y: 2 } }, { a: { $retainKeys: ['y'], x: null } }, { a: { y: 2 } }],
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
    { conditions: [{ ...ready, status: 'False' }, { type: 'New', status: 'True' }, scheduled] },
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
            { name: 'Y', value: '2' },
            { name: 'X', value: '1' },
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
    { ports: [{ containerPort: 2 }, { containerPort: 1 }] },
  ],
  [
    'a list comes in the order of the patch',
    { containers: [a, b, c] },
    { containers: [c, a] },
    { containers: [b, c, a] },
  ],
  [
    'what is new comes before what the patch does not know',
    { conditions: [ready] },
    { conditions: [scheduled] },
    { conditions: [scheduled, ready] },
  ],
  ['so it does in a set', { finalizers: ['x', 'y'] }, { finalizers: ['z'] }, { finalizers: ['z', 'x', 'y'] }],
  [
    'what is deleted may come anew in the same patch',
    { containers: [b, { name: 'a', image: 'i' }] },
    { containers: [a, { $patch: 'delete', name: 'a' }] },
    { containers: [a, b] },
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
  [
    'before that of the patch',
    { containers: [a, b, c] },
    { '$setElementOrder/containers': [c, d, a, b], containers: [d] },
    { containers: [c, d, a, b] },
  ],
  [
    'of a list that is replaced',
    { containers: [a, b] },
    { '$setElementOrder/containers': [d, c], containers: [{ $patch: 'replace' }, d, c] },
    { containers: [d, c] },
  ],
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

  it('replaces the selector of a budget, not that of a service', () => {
    const target = { spec: { selector: { matchLabels: { a: 'b' } }, maxUnavailable: 1 } };
    const patch = { spec: { selector: { matchExpressions: [] } } };
    const replaced = { spec: { selector: { matchExpressions: [] }, maxUnavailable: 1 } };
    expect(strategicMerge('poddisruptionbudgets', target, patch)).toEqual(replaced);
    const merged = { spec: { selector: { a: 'b', c: 'd' } } };
    expect(strategicMerge('services', { spec: { selector: { a: 'b' } } }, { spec: { selector: { c: 'd' } } })).toEqual(
      merged,
    );
  });

  it('merges the drivers of a node by name', () => {
    const drivers = [
      { name: 'a', nodeID: 'n' },
      { name: 'b', nodeID: 'n' },
    ];
    const patch = { spec: { drivers: [{ name: 'a', allocatable: { count: 1 } }] } };
    const [first, second] = drivers;
    expect(strategicMerge('csinodes', { spec: { drivers } }, patch)).toEqual({
      spec: { drivers: [{ ...first, allocatable: { count: 1 } }, second] },
    });
  });

  it.each<[string, object, string]>([
    ['an item without name', { containers: [{ image: 'x' }] }, 'does not contain the merge key: name'],
    ['an item that is no object', { containers: ['x'] }, 'an item of containers in the patch is not an object'],
    ['an unknown directive', { $patch: 'explode' }, 'unknown $patch in the patch: "explode"'],
    ['an order that is no list', { '$setElementOrder/containers': 'a' }, 'must be a list'],
    ['an order of nameless things', { '$setElementOrder/tolerations': [] }, 'have no names to order them by'],
    ['removals that are no list', { '$deleteFromPrimitiveList/finalizers': 'a' }, 'must be a list'],
    ['kept keys that are no list', { $retainKeys: 'a' }, 'must be a list'],
    ['a key that is set and not kept', { $retainKeys: ['y'], x: 1 }, '$retainKeys does not list "x"'],
    ['to merge by a directive', { spec: { $patch: 'merge' } }, 'unknown $patch in the patch: "merge"'],
    ['to merge an item by a directive', { containers: [{ $patch: 'merge', name: 'a' }] }, 'unknown $patch'],
    ['to delete an item without name', { containers: [{ $patch: 'delete' }] }, 'merge key: name'],
    [
      'items that are not in the order',
      { '$setElementOrder/containers': [a], containers: [b] },
      'the order of the patch for containers does not match its $setElementOrder list, at "b"',
    ],
    [
      'items against the order',
      { '$setElementOrder/finalizers': ['x', 'y'], finalizers: ['y', 'x'] },
      'the order of the patch for finalizers does not match',
    ],
    ['an order of nameless items', { '$setElementOrder/containers': [{}] }, 'does not contain name'],
    ['to order what it removes', { '$setElementOrder/containers': [a], containers: null }, 'must be a list'],
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

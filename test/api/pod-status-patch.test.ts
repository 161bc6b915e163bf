import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PodStatus } from '../../src/api/pod.ts';
import { podStatusPatch } from '../../src/api/pod-status-patch.ts';
import { semanticallyEqual } from '../../src/api/semantic-equality.ts';
import { strategicMerge } from '../../src/store/patch/strategic-merge.ts';

describe('podStatusPatch', () => {
  test('says what changed, of this pod', () => {
    const before = { phase: 'Running', reason: 'R', conditions: [{ type: 'Ready', status: 'True' }] };
    const after = { phase: 'Failed', conditions: [{ type: 'Ready', status: 'True' }] };
    expect(podStatusPatch('u', before, after)).toEqual({
      metadata: { uid: 'u' },
      status: { reason: null, phase: 'Failed' },
    });
  });

  test('is nothing when nothing changed; what is undefined is not there', () => {
    expect(podStatusPatch('u', { phase: 'Running' }, { phase: 'Running', reason: undefined })).toBeUndefined();
  });

  test('of a list of named entries it holds those that changed, and the order of all', () => {
    const before = [
      { type: 'A', status: 'True', message: 'm' },
      { type: 'B', status: 'True' },
      { type: 'C', status: 'True' },
    ];
    const after = [
      { type: 'A', status: 'False' },
      { type: 'D', status: 'True' },
      { type: 'C', status: 'True' },
    ];
    expect(podStatusPatch('u', { conditions: before }, { conditions: after })?.['status']).toEqual({
      '$setElementOrder/conditions': [{ type: 'A' }, { type: 'D' }, { type: 'C' }],
      conditions: [
        { type: 'A', status: 'False', message: null },
        { type: 'D', status: 'True' },
        { $patch: 'delete', type: 'B' },
      ],
    });
  });

  test('a new list, and one without names, is there as a whole', () => {
    const conditions = [{ type: 'A', status: 'True' }];
    const containerStatuses = [{ name: 'c', restartCount: 1 }];
    const before = { containerStatuses: [{ name: 'c', restartCount: 0 }] };
    expect(podStatusPatch('u', before, { conditions, containerStatuses })?.['status']).toEqual({
      conditions,
      containerStatuses,
    });
  });

  const arbitraryCondition = (type: string) =>
    fc.record(
      { type: fc.constant(type), status: fc.constantFrom('True', 'False'), message: fc.constantFrom('a', 'b') },
      { requiredKeys: ['type', 'status'] },
    );
  const conditions = fc
    .tuple(...['A', 'B', 'C'].map((type) => fc.option(arbitraryCondition(type))))
    .map((drawn) => drawn.filter((condition) => condition !== null))
    .chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));
  const arbitraryStatus: fc.Arbitrary<PodStatus> = fc.record(
    {
      phase: fc.constantFrom('Running', 'Failed'),
      observedGeneration: fc.nat(2),
      conditions,
      podIPs: fc.subarray([{ ip: '10.0.0.1' }, { ip: '::1' }]),
      containerStatuses: fc.array(fc.record({ name: fc.constant('c'), restartCount: fc.nat(1) }), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );

  test('makes the one status into the other', () => {
    fc.assert(
      fc.property(arbitraryStatus, arbitraryStatus, (before, after) => {
        const patch = podStatusPatch('u', before, after)?.['status'] ?? {};
        const patched = strategicMerge('pods', { ...before }, { ...patch });
        expect(semanticallyEqual(patched, after), JSON.stringify({ patch, patched })).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('is that of the same statuses after a way through JSON, and leaves them as they are', () => {
    const leaf = fc.constantFrom<unknown>('a', 0, 1.5, Number.NaN, true, null, undefined, new Date(0), () => 'f');
    const member = fc.oneof(leaf, fc.array(leaf, { maxLength: 2 }), fc.dictionary(fc.constantFrom('x', 'y'), leaf));
    const item = fc.record({ type: fc.constantFrom('A', 'B'), status: member });
    const status = fc.record({
      phase: member,
      extra: fc.dictionary(fc.constantFrom('k', 'l'), member),
      conditions: fc.uniqueArray(item, { maxLength: 2, selector: ({ type }) => type }),
    });
    const json = (value: unknown) => JSON.parse(JSON.stringify(value)) as PodStatus;
    fc.assert(
      fc.property(status, status, fc.boolean(), (before, drawn, shares) => {
        const after = shares ? { ...drawn, conditions: [...before.conditions.slice(0, 1)] } : drawn;
        const texts = [JSON.stringify(before), JSON.stringify(after)];
        const patch = podStatusPatch('u', before as PodStatus, after as PodStatus);
        expect(patch).toEqual(podStatusPatch('u', json(before), json(after)));
        expect(patch === undefined ? undefined : json(patch)).toEqual(patch);
        expect([JSON.stringify(before), JSON.stringify(after)]).toEqual(texts);
      }),
    );
  });
});

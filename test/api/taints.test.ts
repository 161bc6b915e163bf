import { describe, expect, test } from 'vitest';
import type { Taint } from '../../src/api/node.ts';
import { DO_NOT_SCHEDULE, findUntoleratedTaint, type Toleration, toleratesTaint } from '../../src/api/taints.ts';

const taint: Taint = { key: 'k', value: 'v', effect: 'NoSchedule' };

describe('toleratesTaint', () => {
  test.each<[string, Toleration, boolean]>([
    ['equal by default', { key: 'k', value: 'v' }, true],
    ['equal', { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }, true],
    ['another value', { key: 'k', operator: 'Equal', value: 'w' }, false],
    ['no value', { key: 'k' }, false],
    ['another key', { key: 'x', operator: 'Exists' }, false],
    ['another effect', { key: 'k', operator: 'Exists', effect: 'NoExecute' }, false],
    ['exists', { key: 'k', operator: 'Exists' }, true],
    ['everything', { operator: 'Exists' }, true],
    ['any key with the value', { operator: 'Equal', value: 'v' }, true],
    ['operators behind a feature gate', { key: 'k', operator: 'Gt', value: '1' }, false],
    ['unknown operator', { key: 'k', operator: 'exists', value: 'v' }, false],
  ])('%s', (_, toleration, expected) => {
    expect(toleratesTaint(toleration, taint)).toBe(expected);
  });

  test('an absent and an empty value are the same', () => {
    expect(toleratesTaint({ key: 'k', value: '' }, { key: 'k', effect: 'NoSchedule' })).toBe(true);
  });
});

describe('findUntoleratedTaint', () => {
  const soft: Taint = { key: 'soft', effect: 'PreferNoSchedule' };
  const evict: Taint = { key: 'e', effect: 'NoExecute' };

  test('returns the first one in the order of the node', () => {
    expect(findUntoleratedTaint([soft, evict, taint], [], DO_NOT_SCHEDULE)).toBe(evict);
    expect(findUntoleratedTaint([soft, evict, taint], [{ key: 'e', operator: 'Exists' }], DO_NOT_SCHEDULE)).toBe(taint);
  });

  test('soft taints and missing lists are no obstacle', () => {
    expect(findUntoleratedTaint([soft], undefined, DO_NOT_SCHEDULE)).toBeUndefined();
    expect(findUntoleratedTaint(undefined, undefined, DO_NOT_SCHEDULE)).toBeUndefined();
    expect(findUntoleratedTaint([soft], undefined, (effect) => effect === 'PreferNoSchedule')).toBe(soft);
  });
});

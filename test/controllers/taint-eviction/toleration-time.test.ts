import { expect, test } from 'vitest';
import { type Toleration, toleratedMillis } from '../../../src/api/taints.ts';

const A: Toleration = { key: 'a', operator: 'Exists' };
const B: Toleration = { key: 'b', operator: 'Exists' };

test.each([
  [[], 0],
  [[A], 0],
  [[A, B], Number.POSITIVE_INFINITY],
  [[A, { ...B, tolerationSeconds: 3 }], 3000],
  [
    [
      { ...A, tolerationSeconds: 5 },
      { ...B, tolerationSeconds: 3 },
    ],
    3000,
  ],
  [[A, B, { operator: 'Exists', tolerationSeconds: -1 }], 0],
  [[{ operator: 'Exists' }], Number.POSITIVE_INFINITY],
])('%j: %d ms', (tolerations, millis) => {
  const taints = ['a', 'b'].map((key) => ({ key, effect: 'NoExecute' }));
  expect(toleratedMillis(taints, tolerations)).toBe(millis);
});

import { expect, test } from 'vitest';
import { podKey } from '../../src/api/object-name.ts';

test('a pod is known by namespace and name', () => {
  expect(podKey({ metadata: { namespace: 'x', name: 'p' } })).toBe('x/p');
  expect(podKey({ metadata: { name: 'p' } })).toBe('default/p');
});

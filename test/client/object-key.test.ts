import { expect, test } from 'vitest';
import { keyOf, objectKey, splitKey } from '../../src/client/object-key.ts';

test('an object’s key has its namespace, where there is one, and can be taken apart', () => {
  expect(objectKey({ metadata: { namespace: 'default', name: 'pi' } })).toBe('default/pi');
  expect(objectKey({ metadata: { name: 'node-1' } })).toBe('node-1');
  for (const parts of [
    { namespace: 'default', name: 'pi' },
    { namespace: '', name: 'node-1' },
  ]) {
    expect(splitKey(keyOf(parts.namespace, parts.name))).toEqual(parts);
  }
});

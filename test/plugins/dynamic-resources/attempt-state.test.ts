import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FoundOnNodes, type NodeAllocation } from '../../../src/plugins/dynamic-resources/attempt-state.ts';

describe('FoundOnNodes', () => {
  it('is a map by the name of the node', () => {
    const name = fc.constantFrom('', 'a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (names) => {
        const [found, expected] = [new FoundOnNodes(), new Map<string, NodeAllocation>()];
        for (const each of names) {
          const allocation: NodeAllocation = { results: [], extended: null };
          found.set(each, allocation);
          expected.set(each, allocation);
          for (const other of ['', 'a', 'b', 'c']) expect(found.get(other)).toBe(expected.get(other));
        }
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merged } from '../../../src/kinds/apply/merge.ts';
import { mergeTypeOf } from '../../../src/kinds/apply/merge-type.ts';
import { apiTypes } from '../../../src/kinds/schema/go-types.ts';

const SPEC = mergeTypeOf(apiTypes().struct('core/v1.PodSpec')!);

function order(live: readonly string[], applied: readonly string[]): string[] {
  const list = (names: readonly string[]) => ({ containers: names.map((name) => ({ name })) });
  const { containers } = merged(list(live), list(applied), SPEC) as { containers: { name: string }[] };
  return containers.map(({ name }) => name);
}

describe('merged', () => {
  it('has the order of the applied list, with items of the live list between', () => {
    expect(order(['a', 'b', 'c'], ['c', 'a'])).toEqual(['b', 'c', 'a']);
    expect(order(['a', 'x', 'b'], ['a', 'b', 'c'])).toEqual(['a', 'x', 'b', 'c']);
    expect(order([], ['b', 'a'])).toEqual(['b', 'a']);
  });

  it('has each item once, and those of the applied list in its order', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));
    fc.assert(
      fc.property(names, names, (live, applied) => {
        const result = order(live, applied);
        expect([...result].sort()).toEqual([...new Set([...live, ...applied])].sort());
        expect(result.filter((name) => applied.some((each) => each === name))).toEqual(applied);
      }),
    );
  });

  it('takes atomic lists whole', () => {
    const live = { tolerations: [{ key: 'a' }] };
    expect(merged(live, { tolerations: [{ key: 'b' }] }, SPEC)).toEqual({ tolerations: [{ key: 'b' }] });
  });
});

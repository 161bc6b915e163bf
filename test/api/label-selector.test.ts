import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileLabelSelector, type LabelSelector, selectorFromSet } from '../../src/api/label-selector.ts';
import type { Labels } from '../../src/api/meta.ts';

function matches(selector: LabelSelector | null | undefined, labels: Labels | undefined): boolean {
  const compiled = compileLabelSelector(selector);
  if ('error' in compiled) throw new Error(compiled.error);
  return compiled.matches(labels);
}
const expression = (key: string, operator: string, ...values: string[]) => ({
  matchExpressions: [{ key, operator, values }],
});

describe('compileLabelSelector', () => {
  test('no selector matches nothing, an empty one everything', () => {
    expect(matches(undefined, {})).toBe(false);
    expect(matches(null, { a: 'b' })).toBe(false);
    expect(matches({}, undefined)).toBe(true);
    expect(matches({ matchLabels: {}, matchExpressions: [] }, { a: 'b' })).toBe(true);
  });

  test.each<[string, LabelSelector, boolean, boolean, boolean]>([
    // selector                          { a: '1' }  { a: '2' }  {}
    ['matchLabels', { matchLabels: { a: '1' } }, true, false, false],
    ['In', expression('a', 'In', '1', '3'), true, false, false],
    ['NotIn', expression('a', 'NotIn', '1'), false, true, true],
    ['Exists', expression('a', 'Exists'), true, true, false],
    ['DoesNotExist', expression('a', 'DoesNotExist'), false, false, true],
  ])('%s', (_, selector, one, two, none) => {
    expect([matches(selector, { a: '1' }), matches(selector, { a: '2' }), matches(selector, undefined)]).toEqual([
      one,
      two,
      none,
    ]);
  });

  test('labels called like members of Object.prototype are ordinary', () => {
    expect(matches(expression('constructor', 'Exists'), {})).toBe(false);
    expect(matches(expression('toString', 'DoesNotExist'), {})).toBe(true);
  });

  test.each<[LabelSelector, string]>([
    [expression('a', 'Gt', '1'), '"Gt" is not a valid label selector operator'],
    [expression('a', 'constructor'), '"constructor" is not a valid label selector operator'],
    [expression('a', 'In'), "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"],
    [
      expression('a', 'Exists', 'x'),
      'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
    ],
    [
      expression('a', 'In', 'x'.repeat(64)),
      `values[0][a]: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
    ],
  ])('a malformed selector is an error in upstream words: %j', (selector, error) => {
    expect(compileLabelSelector(selector)).toEqual({ error });
  });

  test('several problems of one requirement are listed', () => {
    const compiled = compileLabelSelector(expression('', 'In', '-'));
    expect('error' in compiled && compiled.error).toMatch(
      /^\[key: Invalid value: "": name part must be non-empty; .*, values\[0\]\[\]: /,
    );
  });
});

test('all parts of a selector must hold', () => {
  const label = fc.constantFrom('a', 'b', 'c');
  const value: fc.Arbitrary<string> = fc.constantFrom('1', '2', '');
  const labels = fc.dictionary(label, value);
  const requirement = fc.record({
    key: label,
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.array(value, { minLength: 1, maxLength: 3 }),
  });
  fc.assert(
    fc.property(labels, fc.array(requirement), labels, (matchLabels, matchExpressions, object) => {
      const holds =
        Object.entries(matchLabels).every(([key, wanted]) => object[key] === wanted) &&
        matchExpressions.every(({ key, operator, values }) => {
          const listed = Object.hasOwn(object, key) && values.includes(object[key] as string);
          return operator === 'In' ? listed : !listed;
        });
      expect(matches({ matchLabels, matchExpressions }, object)).toBe(holds);
    }),
  );
});

test('a set is compared as it is, valid or not', () => {
  expect(selectorFromSet({ 'a b': '-1' }).matches({ 'a b': '-1' })).toBe(true);
  expect(selectorFromSet({ a: '' }).matches({})).toBe(false);
  expect(selectorFromSet(undefined).matches(undefined)).toBe(true);
});

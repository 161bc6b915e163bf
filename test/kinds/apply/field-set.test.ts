import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldSet } from '../../../src/kinds/apply/field-set.ts';

const leaf = fc.constantFrom(
  {},
  { '.': {}, 'f:x': {} },
  { 'f:x': {}, 'f:y': {} },
  { 'k:{"name":"a"}': { '.': {}, 'f:z': {} } },
);
const json = fc.dictionary(fc.constantFrom('f:a', 'f:b', 'v:"c"'), leaf);
const sets = json.map((value) => FieldSet.fromJson(value));

describe('FieldSet', () => {
  it('is written as it was read', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(FieldSet.fromJson(value).toJson()).toEqual(value);
      }),
    );
  });

  it('obeys the laws of sets', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        expect(a.union(b).equals(b.union(a))).toBe(true);
        expect(a.intersection(b).equals(b.intersection(a))).toBe(true);
        expect(a.difference(a).isEmpty).toBe(true);
        expect(a.difference(b).union(a.intersection(b)).equals(a)).toBe(true);
      }),
    );
  });

  it('names its paths', () => {
    const value = { 'f:spec': { 'f:replicas': {}, 'f:containers': { 'k:{"name":"a"}': { '.': {}, 'f:image': {} } } } };
    expect(FieldSet.fromJson(value).paths()).toEqual([
      '.spec.replicas',
      '.spec.containers[name="a"]',
      '.spec.containers[name="a"].image',
    ]);
  });
});

import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { combined } from '../../src/lib/combined.ts';

const objects = fc.option(fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', '__proto__'), fc.string()), fc.anything()), {
  nil: undefined,
});

test('has what a literal has that spreads both', () => {
  fc.assert(
    fc.property(objects, objects, (object, members) => {
      const before = [{ ...object }, { ...members }];
      const result = combined(object, members);
      expect(Reflect.ownKeys(result)).toEqual(Reflect.ownKeys({ ...object, ...members }));
      expect(result).toEqual({ ...object, ...members });
      expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
      expect([{ ...object }, { ...members }]).toEqual(before);
    }),
  );
});

test('objects of one form share a hidden class', () => {
  setFlagsFromString('--allow-natives-syntax');
  const shareHiddenClass = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean;
  // A function is compiled when it is first called.
  shareHiddenClass({}, {});
  setFlagsFromString('--no-allow-natives-syntax');
  const made = Array.from({ length: 100 }, (_, i) => combined({ name: `pod-${i}`, uid: `${i}` }, { nodeName: 'a' }));
  // The first ones are made before V8 knows what the members hold.
  for (let i = 51; i < made.length; i++) expect(shareHiddenClass(made[50] as object, made[i] as object)).toBe(true);
});

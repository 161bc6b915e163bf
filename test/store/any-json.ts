import fc from 'fast-check';

/** What JSON can say, without null, which is the same as nothing. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.boolean()),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'toString'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

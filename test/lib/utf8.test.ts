import fc from 'fast-check';
import { expect, it } from 'vitest';
import { utf8ByteLength } from '../../src/lib/utf8.ts';

it('counts the bytes that an encoder writes, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }), (text) => {
      expect(utf8ByteLength(text)).toBe(Buffer.byteLength(text));
    }),
  );
  for (const text of ['', 'a', 'ä€😀', '\ud83d', '\ude00\ud83d', '\ud83d\ud83d\ude00']) {
    expect(utf8ByteLength(text)).toBe(Buffer.byteLength(text));
  }
});

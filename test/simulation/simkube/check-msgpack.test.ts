import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkMsgpack } from '../../../src/simulation/simkube/check-msgpack.ts';

const check = (bytes: readonly number[] | Uint8Array) => () => checkMsgpack(Uint8Array.from(bytes), 'f');

describe('checkMsgpack', () => {
  it('lets every value of JSON through, and none that is cut off or goes on', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.double({ min: 0, max: 1, maxExcluded: true }), (value, part) => {
        const bytes = encode(value);
        expect(check(bytes)).not.toThrow();
        expect(check(bytes.subarray(0, Math.floor(part * bytes.length)))).toThrow('f: is cut off: ');
        expect(check([...bytes, 0])).toThrow(`goes on behind its end, which is at byte ${bytes.length}`);
      }),
    );
  });

  it('knows long texts, lists and maps, and all sizes of numbers', () => {
    const sizes = [0, 15, 16, 31, 32, 255, 256, 65_535, 65_536];
    const maps = sizes.map((size) => Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i}`, i])));
    const numbers = [127, 128, 255, 256, 65_536, 2 ** 32, 2 ** 53, -1, -32, -33, -129, -32_769, -(2 ** 40), 0.1, true];
    for (const value of [...sizes.map((size) => 'x'.repeat(size)), ...sizes.map((n) => Array(n).fill(n)), ...maps]) {
      expect(check(encode(value))).not.toThrow();
    }
    expect(check(encode([...numbers, null, false]))).not.toThrow();
    expect(check([0xca, 0, 0, 0, 0])).not.toThrow();
  });

  it.each([
    ['a list that says it has four thousand million items', [0xdd, 0xff, 0xff, 0xff, 0xff], 'is cut off'],
    ['many lists in each other', Array(1000).fill(0x91), 'is nested too deeply'],
    ['lists that share the same bytes', [...Array(100).fill([0xdc, 0, 90]).flat(), ...Array(99).fill(0)], 'is cut off'],
    ['a length that is cut off', [0xdb, 0, 0], 'is cut off'],
    ['bytes', encode(Uint8Array.of(1)), 'byte 0 begins no value'],
    ['an extension', encode(new Date(0)), 'byte 0 begins no value'],
    ['a byte that is never used', [0x91, 0xc1], 'byte 1 begins no value'],
  ])('refuses %s', (_, bytes, message) => {
    expect(check(bytes)).toThrow(message);
  });

  it('refuses more values than fit into memory', () => {
    const bytes = encode(Array(1000).fill([]));
    expect(() => checkMsgpack(bytes, 'f', 1001)).not.toThrow();
    expect(() => checkMsgpack(bytes, 'f', 1000)).toThrow('f: holds more than 1,000 values');
  });
});

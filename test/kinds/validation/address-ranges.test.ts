import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRangeWithin } from '../../../src/kinds/validation/address-ranges.ts';

it.each([
  ['10.1.0.0/16', '10.0.0.0/8', true],
  ['10.0.0.0/8', '10.0.0.0/8', false],
  ['10.0.0.0/8', '10.1.0.0/16', false],
  ['11.0.0.0/16', '10.0.0.0/8', false],
  ['1.2.3.4/32', '0.0.0.0/0', true],
  ['2001:db8:1::/48', '2001:db8::/32', true],
  ['2001:db9::/48', '2001:db8::/32', false],
  ['::ffff:10.0.0.0/112', '::ffff:0:0/96', true],
  ['10.0.0.0/16', '::/0', false],
])('%s within %s: %s', (part, whole, isWithin) => {
  expect(isRangeWithin(part, whole)).toBe(isWithin);
});

it('property: a longer prefix of the same address is within a shorter one', () => {
  const address = fc.ipV4();
  fc.assert(
    fc.property(address, fc.nat(31), fc.integer({ min: 1, max: 32 }), (ip, shorter, longer) => {
      expect(isRangeWithin(`${ip}/${longer}`, `${ip}/${shorter}`)).toBe(longer > shorter);
    }),
  );
});

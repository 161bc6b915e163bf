import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isIpAddress } from '../../src/lib/ip-address.ts';

const part = fc.oneof(
  fc.constantFrom(':', '::', '.', '0', '255', '256', 'ffff', '10000', 'g', '01', '1.2.3.4', ''),
  fc.nat(70_000).map((value) => value.toString(16)),
  fc.nat(300).map(String),
);

describe('isIpAddress', () => {
  it('agrees with Node about any text without a zone', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV4(),
          fc.ipV6(),
          fc.array(part, { maxLength: 18 }).map((parts) => parts.join('')),
        ),
        (text) => {
          expect(isIpAddress(text)).toBe(isIP(text) !== 0);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each(['::', '::1', '1::', '1::8', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:1.2.3.4', '0.0.0.0'])(
    'accepts %s',
    (text) => expect(isIpAddress(text)).toBe(true),
  );

  it.each([
    '',
    ':',
    ':::',
    '1:2:3:4:5:6:7::8',
    '1::2::3',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '::1.2.3',
    ':1',
    'fe80::1%eth0',
  ])('refuses %j', (text) => expect(isIpAddress(text)).toBe(false));
});

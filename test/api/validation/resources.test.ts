import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuantity } from '../../../src/api/quantity.ts';
import { problemsOf } from '../../../src/api/validation/check.ts';
import { resourceRequirements } from '../../../src/api/validation/resources.ts';

const amount = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, 0, 3, -2, 1.5, '', 'x', '1e3', '0.5', '-1', '1500m', '2000m', '1Ki', '2Gi'),
  fc.tuple(fc.nat(3000), fc.constantFrom('', 'm', 'k', 'Ki', 'Mi', 'Gi', 'u')).map(([n, unit]) => `${n}${unit}`),
);

/** The amount in billionths; null if it is absent, unreadable or negative. */
function nanoOf(value: unknown): bigint | null {
  try {
    const { nano } = parseQuantity(value as string);
    return nano < 0n ? null : nano;
  } catch {
    return null;
  }
}

test('amounts that are read at a glance are judged as those that are parsed', () => {
  fc.assert(
    fc.property(amount, amount, (request, limit) => {
      const given = { requests: { 'a.b/gpu': request }, limits: { 'a.b/gpu': limit } };
      const reasons = problemsOf(resourceRequirements, given).map(({ reason }) => reason);
      const [requested, most] = [nanoOf(request), nanoOf(limit)];
      const notWhole = [requested, most].filter((nano) => nano !== null && nano % 1_000_000_000n !== 0n);
      expect(reasons.filter((reason) => reason.startsWith('must be a whole number')).length).toBe(notWhole.length);
      const isMore = requested !== null && most !== null && requested > most;
      expect(reasons.some((reason) => reason.includes('is more than the limit'))).toBe(isMore);
    }),
    { numRuns: 1000 },
  );
});

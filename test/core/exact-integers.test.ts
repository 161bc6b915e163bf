import { expect, test } from 'vitest';
import type { ExactInteger } from '../../src/api/resource-claims.ts';
import { Scheduler, SchedulerError } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const LAST = 2n ** 63n - 1n;

/** A scheduler with one device, which has the number, and a claim for a device with the last number of 64 bits. */
function schedulerWith(engine: 'reference' | 'simd', int: ExactInteger): Scheduler {
  const scheduler = new Scheduler({ engine });
  scheduler.addNode(makeNode('n', { cpu: '2' }));
  scheduler.setObject('DeviceClass', { metadata: { name: 'gpu' } });
  scheduler.setObject('ResourceSlice', {
    metadata: { name: 's' },
    spec: {
      driver: 'd.example.com',
      nodeName: 'n',
      pool: { name: 'n', generation: LAST, resourceSliceCount: 1 },
      devices: [{ name: 'x', attributes: { number: { int } } }],
    },
  });
  const expression = `device.attributes["d.example.com"].number == ${LAST}`;
  const exactly = { deviceClassName: 'gpu', selectors: [{ cel: { expression } }] };
  const spec = { devices: { requests: [{ name: 'r', exactly }] } };
  scheduler.setObject('ResourceClaim', { metadata: { name: 'c', namespace: 'default' }, spec });
  return scheduler;
}

const PLAIN = makePod('p', { requests: { cpu: '1' } });
const POD = { ...PLAIN, spec: { ...PLAIN.spec, resourceClaims: [{ name: 'c', resourceClaimName: 'c' }] } };

test.each(['reference', 'simd'] as const)('%s compares integers at the end of 64 bits', (engine) => {
  const statusWith = (int: ExactInteger) => schedulerWith(engine, int).schedule(POD).status;
  expect(statusWith(LAST)).toBe('scheduled');
  expect(statusWith(String(LAST))).toBe('scheduled');
  expect(statusWith(LAST - 1n)).toBe('unschedulable');
});

test.each<[string, unknown, string]>([
  ['a number that has lost digits', 2 ** 60, 'the number 1152921504606847000 has lost digits: use a bigint'],
  ['an integer beyond 64 bits', LAST + 1n, 'must be between -9223372036854775808 and 9223372036854775807'],
  ['a fraction', 0.5, 'must be an integer, not the number 0.5'],
  ['a text for a small number', '7', 'must be an integer, not the string "7"'],
])('%s is refused with the field', (_, int, reason) => {
  const refused = () => schedulerWith('simd', int as ExactInteger);
  expect(refused).toThrow(SchedulerError);
  expect(refused).toThrow(`ResourceSlice s: spec.devices[0].attributes.number.int: ${reason}`);
});

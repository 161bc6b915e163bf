import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { ObjectChecks } from '../../src/caller/object-checks.ts';
import { arbitraryBadValue, spoiled } from '../core/spoil.ts';
import { answerOf } from './check-answer.ts';

const name = fc.constantFrom('a', 'b-1', 'c', 'Bad_Name', '', 'a'.repeat(64), undefined);
const sources = [
  { emptyDir: {} },
  { secret: { secretName: 's' } },
  { persistentVolumeClaim: { claimName: 'data-1' } },
  { persistentVolumeClaim: { claimName: 'data.2', readOnly: true } },
  { persistentVolumeClaim: { readOnly: true, claimName: 'data-3' } },
  { persistentVolumeClaim: { claimName: 'Bad_Claim' } },
  { gcePersistentDisk: { pdName: 'disk' } },
  { gcePersistentDisk: { pdName: '' } },
  {},
];
const volume = fc.record({ name, source: fc.constantFrom(...sources), isNameLast: fc.boolean() });
const volumes = fc.array(
  volume.map(({ name: own, source, isNameLast }) => (isNameLast ? { ...source, name: own } : { name: own, ...source })),
  { maxLength: 3 },
);
const pods = fc.array(
  fc.record({
    volumes,
    hostname: fc.constantFrom(undefined, undefined, 'Bad Host'),
    place: fc.nat(40),
    bad: arbitraryBadValue,
  }),
  { minLength: 1, maxLength: 30 },
);

describe('volumes that were checked before', () => {
  test.each([true, false])('are answered as if they were checked anew, thoroughly: %s', (isThorough) => {
    fc.assert(
      fc.property(pods, fc.boolean(), (given, isSpoiled) => {
        const checks = new ObjectChecks(isThorough);
        for (const { volumes: own, hostname, place, bad } of given) {
          const spec = { containers: [{ name: 'c', image: 'i' }], hostname, volumes: own };
          const plain = { metadata: { name: 'p' }, spec } as unknown as Pod;
          const pod = isSpoiled ? { ...plain, spec: { ...spec, volumes: spoiled(own, place, bad) } } : plain;
          expect(answerOf(checks, pod as Pod)).toEqual(answerOf(new ObjectChecks(isThorough), pod as Pod));
        }
      }),
      { numRuns: 150 },
    );
  });
});

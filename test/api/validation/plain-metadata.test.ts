import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../../src/api/validation/check.ts';
import { labels } from '../../../src/api/validation/metadata.ts';
import { validateObject } from '../../../src/api/validation/objects.ts';
import { isPlainMetadata } from '../../../src/api/validation/plain-metadata.ts';
import { isPlainName } from '../../../src/api/validation/plain-values.ts';
import { knownMetadata } from '../../../src/api/validation/structure.ts';
import { runs } from '../../builders/runs.ts';
import { arbitraryBadValue, spoiled } from '../../core/spoil.ts';

const OWNER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u', controller: true };
const METADATA = {
  name: 'a-1',
  namespace: 'default',
  uid: 'u',
  resourceVersion: '7',
  labels: { app: 'web', 'example.com/tier': 'Back_end.1' },
  annotations: { 'example.com/Note': 'any text' },
  creationTimestamp: '2026-01-01T00:00:00Z',
  ownerReferences: [OWNER],
};

/** Metadata that are not plain, so that every check walks through them, and yet those that are given. */
function notPlain(metadata: object): object {
  return { ...metadata, finalizers: [] };
}

describe('metadata that are valid at a glance', () => {
  it('pass the checks that walk through them', () => {
    fc.assert(
      fc.property(fc.nat(30), arbitraryBadValue, (place, bad) => {
        const metadata = spoiled<object>(METADATA, place, bad);
        if (!isPlainMetadata(metadata)) return;
        const walked = notPlain(metadata);
        expect(isPlainMetadata(walked)).toBe(false);
        for (const kind of ['Namespace', 'CSINode', 'Node'] as const) {
          const rest = kind === 'CSINode' ? { spec: { drivers: [] } } : {};
          expect(validateObject(kind, { metadata: walked, ...rest })).toEqual([]);
        }
        expect(problemsOf(knownMetadata, walked)).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });

  it('are those of most objects', () => {
    expect(isPlainMetadata(METADATA)).toBe(true);
    expect(isPlainMetadata({ name: 'a' })).toBe(true);
  });

  it.each<[string, object]>([
    ['no name', { name: undefined }],
    ['an empty namespace', { namespace: '' }],
    ['a label without a value', { labels: { a: undefined } }],
    ['a key that is none', { labels: { 'a/b/c': 'd' } }],
    ['two owners', { ownerReferences: [OWNER, OWNER] }],
    ['an owner without a kind', { ownerReferences: [{ ...OWNER, kind: '' }] }],
    ['a time of deletion', { deletionTimestamp: '2026-01-01T00:00:00Z' }],
  ])('are none with %s', (_, part) => {
    expect(isPlainMetadata({ ...METADATA, ...part })).toBe(false);
  });

  it('have names and values of plain signs', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'z', '0', '9', '-', '_', '.', 'A', 'Z', 'ä'), maxLength: 70 });
    fc.assert(
      fc.property(texts, (text) => {
        if (isPlainName(text))
          expect(validateObject('Namespace', { metadata: { name: text, finalizers: [] } })).toEqual([]);
        if (isPlainMetadata({ name: 'a', labels: { a: text } })) expect(problemsOf(labels, { a: text })).toEqual([]);
      }),
    );
  });
});

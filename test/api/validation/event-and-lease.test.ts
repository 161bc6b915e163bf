import { describe, expect, it } from 'vitest';
import { validateEvent, validateLease } from '../../../src/api/validation/event-and-lease.ts';

describe('validateEvent', () => {
  const metadata = { name: 'e', namespace: 'team' };

  it.each<[string, unknown, readonly string[]]>([
    ['a pod beside its event', { metadata, involvedObject: { kind: 'Pod', namespace: 'team', name: 'p' } }, []],
    ['a pod elsewhere', { metadata, involvedObject: { kind: 'Pod', namespace: 'x' } }, ['involvedObject.namespace']],
    [
      'a node, with its event in the default namespace',
      { metadata: { name: 'e' }, involvedObject: { kind: 'Node', name: 'n' } },
      [],
    ],
    ['a node, with its event elsewhere', { metadata, involvedObject: { kind: 'Node' } }, ['involvedObject.namespace']],
    ['an unknown kind', { metadata, involvedObject: { kind: 'Robot', namespace: 'team' } }, []],
    ['nothing', undefined, ['']],
    ['no object', { metadata }, ['involvedObject']],
    ['a count of nonsense', { metadata, involvedObject: { namespace: 'team' }, count: 'many' }, ['count']],
  ])('%s', (_, event, expected) => {
    expect(validateEvent(event).map(({ field }) => field)).toEqual(expected);
  });
});

describe('validateLease', () => {
  it.each<[string, unknown, readonly string[]]>([
    [
      'a holder',
      { metadata: { name: 'l' }, spec: { holderIdentity: 'a', renewTime: '2026-01-01T00:00:00.000001Z' } },
      [],
    ],
    ['nothing', null, ['']],
    [
      'no time to hold it',
      { metadata: { name: 'l' }, spec: { leaseDurationSeconds: 0 } },
      ['spec.leaseDurationSeconds'],
    ],
    ['a time of nonsense', { metadata: { name: 'l' }, spec: { renewTime: 'now' } }, ['spec.renewTime']],
  ])('%s', (_, lease, expected) => {
    expect(validateLease(lease).map(({ field }) => field)).toEqual(expected);
  });
});

import { expect, it } from 'vitest';
import { metadataErrors } from '../../../src/apiserver/metadata/metadata-validation.ts';
import { pathSegment } from '../../../src/apiserver/metadata/name-rules.ts';

it('lets no event own an object, and names its kind with the empty group', () => {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }];
  const errors = metadataErrors({ name: 'a', namespace: 'n', ownerReferences }, pathSegment, true);
  expect(errors.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    `metadata.ownerReferences: Invalid value: ${JSON.stringify(ownerReferences[0])}: ` +
      '/v1, Kind=Event is disallowed from being an owner',
  ]);
});

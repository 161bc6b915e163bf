import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ApiObject } from '../../../src/kinds/object/json.ts';
import type { KindSchema } from '../../../src/kinds/object/kind-schema.ts';
import { KindSchemas } from '../../../src/kinds/registry/schema-registry.ts';

const newSchema = (): KindSchema => new KindSchemas().builtIn('', 'v1', 'Pod') as KindSchema;

const members = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('', 'x', 'y'), { maxKeys: 2 });
const pod = fc.record(
  {
    name: fc.constantFrom('p', 'q'),
    generateName: fc.constantFrom('', 'g-'),
    labels: members,
    annotations: members,
    finalizers: fc.subarray(['k/a', 'k/b']),
    image: fc.constantFrom('i', 'j'),
    container: fc.constantFrom('c', 'd'),
    port: fc.constantFrom(80, 81),
  },
  { requiredKeys: [] },
);

it('property: an object that is created after others gets the entry that it gets alone', () => {
  const shared = newSchema();
  fc.assert(
    fc.property(fc.array(pod, { minLength: 2, maxLength: 6 }), (pods) => {
      for (const { image = 'i', container = 'c', port, ...metadata } of pods) {
        const ports = port === undefined ? {} : { ports: [{ containerPort: port, protocol: 'TCP' }] };
        const object = {
          ...{ apiVersion: 'v1', kind: 'Pod', metadata },
          spec: { containers: [{ name: container, image, ...ports }] },
        } as unknown as ApiObject;
        const request = { manager: 'm', subresource: '', now: '2026-01-01T00:00:00Z' };
        const entries = (schema: KindSchema) => schema.fields.updated(undefined, structuredClone(object), request);
        expect(entries(shared)).toEqual(entries(newSchema()));
      }
    }),
    { numRuns: 40 },
  );
});

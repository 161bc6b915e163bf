import type { ApiObject, JsonObject } from '../../../src/kinds/object/json.ts';
import { KindSchemas } from '../../../src/kinds/registry/schema-registry.ts';

const schemas = new KindSchemas();

/** What is wrong with a new object of a kind, after its defaults are filled in; with `old`, with its update. */
export function kindProblems(apiVersion: string, kind: string, object: object, old?: object): string[] {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const schema = schemas.builtIn(group as string, version as string, kind)!;
  const read = (given: object): ApiObject => {
    const { object: decoded } = schema.decode({ metadata: { name: 'a' }, ...given } as JsonObject);
    schema.setDefaults(decoded);
    return decoded;
  };
  const errors =
    old === undefined
      ? schema.validate(read(object), [])
      : schema.validateUpdate(read(object), read(old), { subresource: '', metadataErrors: [] });
  return errors.map(({ field, message }) => `${field}: ${message}`);
}

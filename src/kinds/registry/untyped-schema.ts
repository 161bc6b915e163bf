import { mergePatch } from '../../store/patch/merge-patch.ts';
import type { ApiResource } from '../object/api-resource.ts';
import type { ApiObject, JsonObject } from '../object/json.ts';
import type { KindSchema } from '../object/kind-schema.ts';

/** The schema of a kind of which nothing is published: every object of it is accepted as it is. */
export function untypedSchema({ group, version, kind }: ApiResource): KindSchema {
  return {
    group,
    version,
    kind,
    decode: (value) => ({ object: structuredClone(value) as ApiObject, strictProblems: [] }),
    setDefaults: () => {},
    validate: (_object, metadataErrors) => metadataErrors,
    validateUpdate: (_object, _old, { metadataErrors }) => metadataErrors,
    warnings: () => [],
    strategicMerge: (object: ApiObject, patch: JsonObject) => mergePatch(object, patch) as JsonObject,
    fields: { apply: (live, applied) => mergePatch(live ?? {}, applied) as ApiObject, updated: () => undefined },
    table: { columns: NAME_COLUMN, row: ({ metadata }) => ({ cells: [metadata?.name ?? ''] }) },
    ordered: (object) => object,
    empty: {},
  };
}

const NAME_COLUMN = [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }];

import type { ApiObject, JsonObject, JsonValue } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import { badRequest } from '../../kinds/object/refusals.ts';

/** What a row shows of its object besides the cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** @throws StatusError BadRequest */
export function includeObjectIn(query: URLSearchParams): IncludeObject {
  const text = query.get('includeObject') ?? '';
  if (text === '') return 'Metadata';
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text;
  const why = `Invalid value: ${JSON.stringify(text)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${why}`);
}

export interface TableOptions {
  readonly version: string;
  readonly includes: IncludeObject;
  readonly nowMillis: number;
  /** Whether the columns are described: the first table of a watch does, later ones do not. */
  readonly describesColumns: boolean;
}

/** Objects as a Table with the columns of their kind; a Table's metadata is that of the list, or of its one object. */
export function tableOf(
  { schema }: ServedResource,
  objects: readonly ApiObject[],
  metadata: JsonObject,
  { version, includes, nowMillis, describesColumns }: TableOptions,
): JsonObject {
  const rows = objects.map((object): JsonObject => {
    const { cells, conditions } = schema.table.row(object, nowMillis);
    const shown = includes === 'None' ? null : includes === 'Object' ? object : partialOf(object, version);
    return { cells, ...(conditions === undefined ? {} : { conditions }), object: shown };
  });
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: metadata['continue'] === '' ? withoutContinue(metadata) : metadata,
    columnDefinitions: describesColumns ? (schema.table.columns as unknown as JsonValue) : null,
    rows,
  };
}

function withoutContinue({ continue: _, ...metadata }: JsonObject): JsonObject {
  return metadata;
}

/** An object of which only the metadata is shown. */
export function partialOf(object: ApiObject, version: string): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: internalMetadata(object) };
}

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** The metadata as the API server has it inside: there, the annotation of daemon sets is a member of their spec. */
function internalMetadata({ kind, metadata = {} }: ApiObject): JsonObject {
  if (kind !== 'DaemonSet' || metadata.annotations?.[TEMPLATE_GENERATION] === undefined) return metadata;
  const { annotations, ...rest } = metadata;
  const { [TEMPLATE_GENERATION]: _, ...others } = annotations as Record<string, string>;
  return Object.keys(others).length === 0 ? rest : { ...metadata, annotations: others };
}

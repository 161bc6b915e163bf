import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { notFound } from '../../kinds/object/refusals.ts';
import { type Answer, answerOf, type ResourceRequest } from '../context/context.ts';
import { updateObject } from './object-updates.ts';
import { writeOptions } from './query.ts';
import { readObject } from './read-object.ts';

/** PUT to a namespace's `finalize`: it sets the finalizers in the spec, and removes a namespace that has none left. */
export function finalizeNamespace(asked: ResourceRequest): Answer {
  const { modules, request, served, name } = asked;
  const options = writeOptions(request.query, 'UpdateOptions');
  const { object } = readObject(modules, request, served.schema, options.fieldValidation);
  const storage = modules.storages.of(served);
  const old = storage.get('', name);
  if (old === undefined) throw notFound(served.resource, name);
  const { finalizers = [] } = (object['spec'] ?? {}) as { finalizers?: string[] };
  const isLast = finalizers.length === 0 && (old.metadata?.finalizers ?? []).length === 0;
  const merge = (_: ApiObject, stored: ApiObject): ApiObject => {
    const { finalizers: __, ...spec } = (stored['spec'] ?? {}) as JsonObject;
    return { ...stored, spec: finalizers.length === 0 ? spec : { ...spec, finalizers } };
  };
  if (isLast && old.metadata?.deletionTimestamp !== undefined) {
    const shown = merge(object, old);
    if (!options.isDryRun) storage.remove(old);
    return answerOf(served, shown);
  }
  return answerOf(served, updateObject(asked, object, old, { ...options, merge }));
}

/** The subresources of a pod that change a part of it: `resize` and `ephemeralcontainers`. */
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { notFound } from '../../kinds/object/refusals.ts';
import { type Answer, answerOf, type ResourceRequest } from '../context/context.ts';
import { updateObject } from './object-updates.ts';
import { patched, patchTypeOf } from './patch.ts';
import { type WriteOptions, writeOptions } from './query.ts';
import { readObject } from './read-object.ts';
import { warned } from './warned.ts';

type Merge = (given: ApiObject, old: ApiObject) => ApiObject;

/** PUT of a pod of which only a part is taken. @throws StatusError */
export function putPart(merge: Merge): (asked: ResourceRequest) => Answer {
  return (asked) => {
    const { modules, request, served } = asked;
    const options = writeOptions(request.query, 'UpdateOptions');
    const { object, warnings } = readObject(modules, request, served.schema, options.fieldValidation);
    return warned(warnings, () => written(asked, object, merge, options, warnings));
  };
}

export function patchPart(merge: Merge): (asked: ResourceRequest) => Answer {
  return (asked) => {
    const options = writeOptions(asked.request.query, 'PatchOptions');
    const type = patchTypeOf(asked);
    const { object, warnings } = patched(asked, storedPod(asked), type, options);
    return warned(warnings, () => written(asked, object, merge, options, warnings));
  };
}

function storedPod({ modules, served, namespace, name }: ResourceRequest): ApiObject {
  const pod = modules.storages.of(served).get(namespace, name);
  if (pod === undefined) throw notFound(served.resource, name);
  return pod;
}

function written(
  asked: ResourceRequest,
  object: ApiObject,
  merge: Merge,
  options: WriteOptions,
  warnings: readonly string[],
): Answer {
  const stored = updateObject(asked, object, storedPod(asked), { ...options, merge });
  return answerOf(asked.served, stored, { warnings });
}

/** The old pod with the given resources of containers, and with how they are resized. */
export function mergeResize(given: ApiObject, old: ApiObject): ApiObject {
  const spec = (old['spec'] ?? {}) as JsonObject;
  const wanted = (given['spec'] ?? {}) as JsonObject;
  const next: JsonObject = { ...spec };
  for (const list of ['containers', 'initContainers']) {
    const [mine, theirs] = [spec[list], wanted[list]] as [JsonObject[] | undefined, JsonObject[] | undefined];
    if (mine === undefined) continue;
    // A changed number of containers is left for validation to refuse.
    if (theirs?.length !== mine.length) next[list] = theirs ?? mine;
    else next[list] = mine.map((container, i) => withResources(container, theirs[i] as JsonObject));
  }
  if (wanted['resources'] !== undefined) next['resources'] = wanted['resources'];
  return { ...old, spec: next };
}

function withResources(container: JsonObject, { resources, resizePolicy }: JsonObject): JsonObject {
  return { ...container, resources, ...(resizePolicy === undefined ? {} : { resizePolicy }) };
}

/** The old pod with the given ephemeral containers. */
export function mergeEphemeral(given: ApiObject, old: ApiObject): ApiObject {
  const { ephemeralContainers } = (given['spec'] ?? {}) as JsonObject;
  const spec = { ...(old['spec'] as JsonObject) };
  if (ephemeralContainers === undefined) delete spec['ephemeralContainers'];
  else spec['ephemeralContainers'] = ephemeralContainers;
  return { ...old, spec };
}

import { objectAt, objectsAt, textAt } from '../../kinds/defaults/members.ts';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';

/** Which names of a definition are free in its group, and the conditions that follow (upstream's naming controller). */
export function acceptance(definition: ApiObject, all: readonly ApiObject[], now: string): JsonObject {
  const names = objectAt(objectAt(definition, 'spec'), 'names') ?? {};
  const before = objectAt(objectAt(definition, 'status'), 'acceptedNames') ?? {};
  const taken = namesOfOthers(definition, all);
  const accepted: JsonObject = { ...before };
  let conflict: { readonly reason: string; readonly name: string } | undefined;
  const take = (field: string, reason: string, used: ReadonlySet<string>): void => {
    const name = textAt(names, field);
    if (name !== textAt(before, field) && used.has(name)) conflict = { reason, name };
    else if (name !== '') accepted[field] = name;
  };
  take('plural', 'PluralConflict', taken.resources);
  take('singular', 'SingularConflict', taken.resources);
  const shortNames = Array.isArray(names['shortNames']) ? names['shortNames'].map(String) : [];
  const short = shortNames.find((name) => taken.resources.has(name));
  if (short !== undefined) conflict = { reason: 'ShortNamesConflict', name: short };
  else if (shortNames.length > 0) accepted['shortNames'] = shortNames;
  else delete accepted['shortNames'];
  take('kind', 'KindConflict', taken.kinds);
  take('listKind', 'ListKindConflict', taken.kinds);
  const categories = names['categories'];
  if (categories === undefined) delete accepted['categories'];
  else accepted['categories'] = categories;
  return { acceptedNames: accepted, conditions: conditionsOf(definition, conflict, now) };
}

function namesOfOthers(definition: ApiObject, all: readonly ApiObject[]) {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  const group = textAt(objectAt(definition, 'spec'), 'group');
  for (const other of all) {
    if (other.metadata?.name === definition.metadata?.name) continue;
    if (textAt(objectAt(other, 'spec'), 'group') !== group) continue;
    const names = objectAt(objectAt(other, 'status'), 'acceptedNames');
    const short = Array.isArray(names?.['shortNames']) ? names['shortNames'].map(String) : [];
    for (const name of [textAt(names, 'plural'), textAt(names, 'singular'), ...short])
      if (name !== '') resources.add(name);
    for (const name of [textAt(names, 'kind'), textAt(names, 'listKind')]) if (name !== '') kinds.add(name);
  }
  return { resources, kinds };
}

function conditionsOf(
  definition: ApiObject,
  conflict: { readonly reason: string; readonly name: string } | undefined,
  now: string,
): JsonObject[] {
  const before = objectsAt(objectAt(definition, 'status'), 'conditions');
  const isEstablished = before.some(({ type, status }) => type === 'Established' && status === 'True');
  const named =
    conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : {
          type: 'NamesAccepted',
          status: 'False',
          reason: conflict.reason,
          message: `${JSON.stringify(conflict.name)} is already in use`,
        };
  const established =
    conflict === undefined || isEstablished
      ? {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        }
      : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
  const own = [named, established].map((condition) => {
    const old = before.find(({ type }) => type === condition.type);
    const isSame = old?.['status'] === condition.status;
    return { ...condition, lastTransitionTime: isSame ? (old?.['lastTransitionTime'] ?? now) : now };
  });
  const others = before.filter(({ type }) => type !== 'NamesAccepted' && type !== 'Established');
  return [...own, ...others];
}

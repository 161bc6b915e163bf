import type { KubernetesObject } from '../../api/meta.ts';
import { FakeClock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import { Prng } from '../../lib/prng.ts';
import { ApiError } from '../../store/objects/api-error.ts';
import { RandomNames } from '../../store/objects/names.ts';
import type { Resource } from '../../store/objects/resources.ts';
import { Store } from '../../store/store.ts';
import { createObject } from './create-object.ts';
import { keyOf, makeChange, type PlannedChange } from './planned-change.ts';
import { creationRank, type NamedObject, type SubmittedObject } from './submitted-object.ts';

/**
 * Submits all objects to a temporary API, so that its errors are reported before the simulation begins, and name the
 * user's files. Returns the objects in the order in which they can be created, with the namespaces that they need.
 *
 * @throws CodedError `InvalidObject` naming file, object, field and reason
 */
export function checkSubmitted(
  objects: readonly NamedObject[],
  templates: readonly NamedObject[],
  changes: readonly PlannedChange[] = [],
): readonly SubmittedObject[] {
  const store = new Store({ clock: new FakeClock(), names: new RandomNames(new Prng(0)) });
  const sorted = objects.toSorted((a, b) => creationRank(a.submitted) - creationRank(b.submitted));
  const namespaces = missingNamespaces(store, [
    ...[...objects, ...templates].map(({ submitted }) => submitted),
    ...changes.filter(({ verb }) => verb === 'apply'),
  ]);
  for (const namespace of namespaces) create(store, { submitted: namespace, place: '' });
  for (const object of sorted) create(store, object);
  // Templates are removed again at once, since two may share a name that is free again when the second arrives.
  for (const template of templates) remove(store, template.submitted.resource, create(store, template));
  checkChanges(store, templates, changes);
  return [...namespaces, ...sorted.map(({ submitted }) => submitted)];
}

function remove(store: Store, resource: Resource, { metadata }: KubernetesObject): void {
  const { namespace = '', name = '' } = metadata ?? {};
  if (metadata?.finalizers?.length) store.patch(resource, namespace, name, NO_FINALIZERS);
  store.delete(resource, namespace, name, resource === 'pods' ? { gracePeriodSeconds: 0 } : {});
}

const NO_FINALIZERS = { type: 'merge', body: { metadata: { finalizers: null } } } as const;

/** Makes the changes one after the other. An object that arrives later is there before its first change. */
function checkChanges(store: Store, templates: readonly NamedObject[], changes: readonly PlannedChange[]): void {
  const seen = new Set<string>();
  for (const change of changes) {
    const { resource, object, place } = change;
    if (!seen.has(keyOf(change))) {
      seen.add(keyOf(change));
      const template = templates.find(({ submitted }) => makesObjectOf(submitted, change));
      const metadata = { ...template?.submitted.object.metadata, name: object.metadata?.name };
      if (template !== undefined) {
        create(store, { submitted: { resource, object: { ...template.submitted.object, metadata } }, place });
      }
    }
    refusedAt(place, () => makeChange(store, change));
  }
}

/** Whether the object of the change may be one of this template, which may be numbered. */
function makesObjectOf({ resource, object }: SubmittedObject, change: PlannedChange): boolean {
  const { name = '', namespace = 'default' } = object.metadata ?? {};
  const { name: changed = '', namespace: changedIn = 'default' } = change.object.metadata ?? {};
  if (resource !== change.resource || namespace !== changedIn || name === '') return false;
  return changed === name || (changed.startsWith(`${name}-`) && /^\d+$/.test(changed.slice(name.length + 1)));
}

function create(store: Store, { submitted, place }: NamedObject): KubernetesObject {
  return refusedAt(place, () => createObject(store, submitted));
}

function refusedAt<T>(place: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const cause = error.causes.find(({ field }) => field !== undefined);
    const reason = cause === undefined ? error.message : `${cause.field}: ${cause.message}`;
    throw new CodedError('InvalidObject', `${place}: ${reason}`);
  }
}

/** The namespaces that the objects use and the input leaves out. */
function missingNamespaces(store: Store, all: readonly SubmittedObject[]): SubmittedObject[] {
  const known = new Set(store.list('namespaces').items.map(({ metadata }) => metadata?.name ?? ''));
  for (const { resource, object } of all) {
    if (resource === 'namespaces') known.add(object.metadata?.name ?? '');
  }
  const used = new Set(all.map(({ object }) => object.metadata?.namespace || 'default'));
  return [...used]
    .filter((name) => !known.has(name))
    .map((name) => ({ resource: 'namespaces', object: { metadata: { name } } }));
}

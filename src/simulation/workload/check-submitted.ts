import type { KubernetesObject } from '../../api/meta.ts';
import { FakeClock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import { Prng } from '../../lib/prng.ts';
import { ApiError } from '../../store/objects/api-error.ts';
import { RandomNames } from '../../store/objects/names.ts';
import type { Resource } from '../../store/objects/resources.ts';
import { Store } from '../../store/store.ts';
import { createObject } from './create-object.ts';
import { creationRank, type SubmittedObject } from './submitted-object.ts';

/** An object, and where its user finds it. */
export interface NamedObject {
  readonly submitted: SubmittedObject;
  /** The file and the title, such as `pi.yaml: Job default/pi`. */
  readonly place: string;
}

/**
 * Submits all objects to a temporary API, so that its errors are reported before the simulation begins, and name the
 * user's files. Returns the objects in the order in which they can be created, with the namespaces that they need.
 *
 * @throws CodedError `InvalidObject` naming file, object, field and reason
 */
export function checkSubmitted(
  objects: readonly NamedObject[],
  templates: readonly NamedObject[],
): readonly SubmittedObject[] {
  const store = new Store({ clock: new FakeClock(), names: new RandomNames(new Prng(0)) });
  const sorted = objects.toSorted((a, b) => creationRank(a.submitted) - creationRank(b.submitted));
  const namespaces = missingNamespaces(store, [...objects, ...templates]);
  for (const namespace of namespaces) create(store, { submitted: namespace, place: '' });
  for (const object of sorted) create(store, object);
  // Templates are removed again at once, since two may share a name that is free again when the second arrives.
  for (const template of templates) remove(store, template.submitted.resource, create(store, template));
  return [...namespaces, ...sorted.map(({ submitted }) => submitted)];
}

function remove(store: Store, resource: Resource, { metadata }: KubernetesObject): void {
  const { namespace = '', name = '' } = metadata ?? {};
  if (metadata?.finalizers?.length) store.patch(resource, namespace, name, NO_FINALIZERS);
  store.delete(resource, namespace, name, resource === 'pods' ? { gracePeriodSeconds: 0 } : {});
}

const NO_FINALIZERS = { type: 'merge', body: { metadata: { finalizers: null } } } as const;

function create(store: Store, { submitted, place }: NamedObject): KubernetesObject {
  try {
    return createObject(store, submitted);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const cause = error.causes.find(({ field }) => field !== undefined);
    const reason = cause === undefined ? error.message : `${cause.field}: ${cause.message}`;
    throw new CodedError('InvalidObject', `${place}: ${reason}`);
  }
}

/** The namespaces that the objects use and the input leaves out. */
function missingNamespaces(store: Store, all: readonly NamedObject[]): SubmittedObject[] {
  const known = new Set(store.list('namespaces').items.map(({ metadata }) => metadata?.name ?? ''));
  for (const { submitted } of all) {
    if (submitted.resource === 'namespaces') known.add(submitted.object.metadata?.name ?? '');
  }
  const used = new Set(all.map(({ submitted }) => submitted.object.metadata?.namespace || 'default'));
  return [...used]
    .filter((name) => !known.has(name))
    .map((name) => ({ resource: 'namespaces', object: { metadata: { name } } }));
}

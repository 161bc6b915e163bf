import { isDeepStrictEqual } from 'node:util';
import { timeAtMillis } from '../../api/time.ts';
import { type ApiResource, kindText } from '../../kinds/object/api-resource.ts';
import type { ApiMetadata, ApiObject } from '../../kinds/object/json.ts';
import { badRequest, conflict, refuseInvalid, unclassified } from '../../kinds/object/refusals.ts';
import { StatusError } from '../../kinds/object/status-error.ts';
import { combined } from '../../lib/combined.ts';
import { admitUpdate } from '../admission/admission.ts';
import type { ResourceRequest } from '../context/context.ts';
import { metadataUpdateErrors } from '../metadata/metadata-validation.ts';
import { dropDisabledFields } from '../strategies/disabled-fields.ts';
import type { KindStrategy } from '../strategies/kind-strategy.ts';
import { strategyOf } from '../strategies/strategies.ts';
import { checkNamespace } from './create.ts';
import { managerOf } from './field-manager-name.ts';
import type { WriteOptions } from './query.ts';

const STALE = 'the object has been modified; please apply your changes to the latest version and try again';

/** How a write names its manager: a server-side apply has noted the managers already. */
export interface UpdateOptions extends WriteOptions {
  readonly isApply?: boolean;
  /** The subresource under which the manager is noted; absent: that of the request. */
  readonly managedAs?: string;
  /** What of the object the subresource writes; absent: by the subresource of the request. */
  readonly merge?: (object: ApiObject, old: ApiObject) => ApiObject;
}

/**
 * Replaces an object by its next state: checks version and uid, keeps what the client may not write, validates, and
 * deletes an object whose last finalizer is gone. Returns the stored object, or what would be stored.
 *
 * @throws StatusError
 */
export function updateObject(
  asked: ResourceRequest,
  given: ApiObject,
  old: ApiObject,
  options: UpdateOptions,
): ApiObject {
  const { modules, served, subresource } = asked;
  const { resource, schema } = served;
  const object = withCheckedName(asked, given);
  const metadata = object.metadata as ApiMetadata;
  strategyOf(resource).reconcile?.(object);
  admitUpdate(asked, object, old);
  checkVersion(resource, metadata, old);
  const now = timeAtMillis(modules.clock.nowMillis());
  const next = prepared(asked, object, old, { now, ...options });
  const nextMetadata = next.metadata as ApiMetadata;
  // The metadata is checked for all kinds and by each kind again, so its errors are told twice;
  // labels and annotations once more, with the object as a whole.
  const errors = metadataUpdateErrors(nextMetadata, old.metadata ?? {});
  const ofLabels = errors.filter(({ field }) => field === 'metadata.labels' || field === 'metadata.annotations');
  refuseInvalid(resource, old.metadata?.name ?? '', [
    ...errors,
    ...schema.validateUpdate(next, old, { subresource, metadataErrors: [...errors, ...ofLabels] }),
  ]);
  schema.setDefaults(next);
  noteManagers(asked, object, next, old, combined(options, { now }));
  const storage = modules.storages.of(served);
  if (isFreed(nextMetadata, old.metadata ?? {})) {
    nextMetadata.resourceVersion = old.metadata?.resourceVersion as string;
    if (!options.isDryRun) storage.remove(old);
    return next;
  }
  nextMetadata.resourceVersion = old.metadata?.resourceVersion as string;
  if (isUnchanged(next, old)) return old;
  return options.isDryRun ? next : storage.replace(next, old);
}

/** Whether the update takes the last finalizer off an object that is being deleted. */
function isFreed({ finalizers = [] }: ApiMetadata, old: ApiMetadata): boolean {
  return finalizers.length === 0 && old.deletionTimestamp !== undefined && !old.deletionGracePeriodSeconds;
}

/** A copy of the object under the name and namespace of the request. @throws StatusError BadRequest */
export function withCheckedName({ served, namespace, name }: ResourceRequest, given: ApiObject): ApiObject {
  const metadata = { ...given.metadata } as ApiMetadata;
  const object = { ...given, metadata };
  if (!metadata.name) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  checkNamespace(metadata, served.resource.isNamespaced ? namespace : '');
  return object;
}

/** @throws StatusError Conflict, Invalid, or without a reason for a version that is no number */
function checkVersion(
  resource: ApiResource,
  { resourceVersion = '', uid }: ApiMetadata,
  { metadata: old }: ApiObject,
): void {
  if (resourceVersion !== '' && !/^\d+$/.test(resourceVersion)) {
    throw unclassified(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
  }
  const isGiven = resourceVersion !== '' && Number(resourceVersion) !== 0;
  if (!isGiven && !strategyOf(resource).updatesUnconditionally) throw versionNeeded(resource, old?.name ?? '');
  if (isGiven && resourceVersion !== old?.resourceVersion) throw conflict(resource, old?.name ?? '', STALE);
  void uid;
}

function versionNeeded({ group, resource }: ApiResource, name: string): StatusError {
  const field = 'metadata.resourceVersion';
  const message = 'Invalid value: 0: must be specified for an update';
  const subject = group === '' ? resource : `${resource}.${group}`;
  const details = {
    name,
    ...(group === '' ? {} : { group }),
    kind: resource,
    causes: [{ reason: 'FieldValueInvalid', message, field }],
  };
  return new StatusError(
    422,
    'Invalid',
    `${subject} ${JSON.stringify(name)} is invalid: ${field}: ${message}`,
    details,
  );
}

/** The next state with what the client may not change taken from the old one. */
function prepared(
  { modules, served, subresource }: ResourceRequest,
  object: ApiObject,
  old: ApiObject,
  { now, merge, isDryRun }: UpdateOptions & { readonly now: string },
): ApiObject {
  const { resource } = served;
  const strategy = strategyOf(resource);
  const oldMetadata = old.metadata ?? {};
  let next = object;
  if (merge !== undefined) next = merge(object, old);
  else if (subresource === 'status')
    next = { ...old, metadata: { ...(object.metadata as ApiMetadata) }, ...statusOf(object) };
  else if (strategy.hasStatus) next = { ...object, ...statusOf(old) };
  const metadata = { ...next.metadata } as ApiMetadata;
  next = { ...next, metadata };
  fillMetadata(metadata, oldMetadata);
  const context = { now, ledger: modules.ledger, isDryRun };
  if (subresource === 'status') strategy.prepareStatusUpdate?.(next, old, context);
  else strategy.prepareUpdate?.(next, old, context);
  dropDisabledFields(kindText(resource), next, old, modules.features);
  if (strategy.hasGeneration && subresource !== 'status' && hasNewState(next, old, strategy)) {
    metadata.generation = (oldMetadata.generation ?? 0) + 1;
  }
  return next;
}

function statusOf(object: ApiObject): ApiObject {
  return object['status'] === undefined ? { status: undefined } : { status: object['status'] };
}

const SERVERS = new Set(['generation', 'creationTimestamp']);

/** The members that are the server's: absent ones, and those that clients cannot set, are as stored. */
function fillMetadata(metadata: ApiMetadata, old: ApiMetadata): void {
  const fixed = ['creationTimestamp', 'generation', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'uid'] as const;
  for (const name of fixed) {
    const isServers = SERVERS.has(name) || metadata[name] === undefined || metadata[name] === null;
    if (!isServers) continue;
    if (old[name] === undefined) delete metadata[name];
    else Object.assign(metadata, { [name]: old[name] });
  }
  delete metadata['selfLink'];
}

/** Whether anything that counts as the desired state differs: all but status and most of metadata. */
function hasNewState(object: ApiObject, old: ApiObject, { generationReads }: KindStrategy): boolean {
  for (const part of generationReads) {
    if (!isDeepStrictEqual(object.metadata?.[part] ?? {}, old.metadata?.[part] ?? {})) return true;
  }
  const { metadata: _, status: __, ...state } = object;
  const { metadata: ___, status: ____, ...oldState } = old;
  return !isDeepStrictEqual(withoutUndefined(state), withoutUndefined(oldState));
}

function isUnchanged(object: ApiObject, old: ApiObject): boolean {
  return isDeepStrictEqual(comparable(object), comparable(old));
}

function comparable(object: ApiObject): unknown {
  // The times of managers alone are no change.
  const managedFields = object.metadata?.managedFields?.map(({ time: _, ...entry }) => entry);
  const metadata = withoutUndefined({ ...object.metadata, managedFields });
  return withoutUndefined({ ...object, metadata });
}

function withoutUndefined(value: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

/** Notes who has set which fields of the object that was sent; what strategies change belongs to nobody. */
function noteManagers(
  asked: ResourceRequest,
  object: ApiObject,
  next: ApiObject,
  old: ApiObject,
  { now, ...options }: UpdateOptions & { readonly now: string },
): void {
  if (options.isApply) return;
  const { request, served } = asked;
  const subresource = options.managedAs ?? asked.subresource;
  const manager = managerOf(options.fieldManager, request.userAgent);
  const entries = served.schema.fields.updated(old, object, { manager, subresource, now });
  const metadata = next.metadata as ApiMetadata;
  if (entries === undefined) delete metadata.managedFields;
  else metadata.managedFields = entries;
}

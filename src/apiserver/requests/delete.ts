import { millisOfSeconds, timeAtMillis } from '../../api/time.ts';
import { type ApiResource, kindText } from '../../kinds/object/api-resource.ts';
import type { ApiMetadata, ApiObject, JsonObject } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import { conflict, notFound } from '../../kinds/object/refusals.ts';
import { StatusError } from '../../kinds/object/status-error.ts';
import { admitDelete } from '../admission/admission.ts';
import { type Answer, answerOf, type ResourceRequest } from '../context/context.ts';
import { strategyOf } from '../strategies/strategies.ts';
import { type DeleteOptions, deleteOptions } from './delete-options.ts';
import { listObject, listOf } from './list.ts';
import { warned, withWarnings } from './warned.ts';

/** DELETE of one object. @throws StatusError */
export function deleteOne(asked: ResourceRequest): Answer {
  const options = deleteOptions(asked);
  const { served } = asked;
  const warnings = policyWarnings(served.resource, options);
  const result = warned(warnings, () => deleteObject(asked, asked.namespace, asked.name, options));
  const status = !result.isDeleted && options.orphanDependents === false ? 202 : 200;
  if (result.object !== undefined) return answerOf(served, result.object, { status, warnings });
  return { type: 'object', status, object: successOf(served.resource, result.last), warnings };
}

/** DELETE of a collection: what is listed is deleted, one after the other. @throws StatusError */
export function deleteCollection(asked: ResourceRequest): Answer {
  const options = deleteOptions(asked);
  const { served } = asked;
  const warnings = policyWarnings(served.resource, options);
  const page = listOf(asked);
  // The answer shows the objects as they were.
  const object = listObject(served.resource, page);
  for (const { metadata } of page.items) {
    try {
      deleteObject(asked, metadata?.namespace ?? '', metadata?.name ?? '', { ...options });
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 404) throw withWarnings(error, warnings);
    }
  }
  return { type: 'object', status: 200, object, served, warnings };
}

export interface Deletion {
  readonly isDeleted: boolean;
  /** What the answer shows; undefined: a Status. */
  readonly object: ApiObject | undefined;
  readonly last: ApiObject;
}

/** Deletes an object, or marks it as being deleted (upstream: Store.Delete in apiserver/pkg/registry). */
export function deleteObject(
  asked: Pick<ResourceRequest, 'modules' | 'served'>,
  namespace: string,
  name: string,
  options: DeleteOptions,
): Deletion {
  const { modules, served } = asked;
  const storage = modules.storages.of(served);
  const stored = storage.get(namespace, name);
  if (stored === undefined) throw notFound(served.resource, name);
  admitDelete(asked, stored);
  refuseOther(served.resource, stored, options);
  if (served.resource.kind === 'Namespace' && served.resource.group === '')
    return deleteNamespace(asked, stored, options);

  const strategy = strategyOf(served.resource);
  const marked = marking(served, stored, options, modules.clock.nowMillis());
  if (marked === 'pending')
    return { isDeleted: false, object: strategy.returnsDeleted ? stored : undefined, last: stored };
  if (marked !== undefined) {
    const isChanged = marked !== stored;
    const kept = isChanged && !options.isDryRun ? storage.replace(marked, stored) : marked;
    const hasFinalizers = (kept.metadata?.finalizers ?? []).length > 0;
    const hasGrace = isPod(served.resource) && (kept.metadata?.deletionGracePeriodSeconds ?? 0) > 0;
    if (hasFinalizers || hasGrace) return { isDeleted: false, object: kept, last: kept };
    return removed(asked, kept, options);
  }
  return removed(asked, stored, options);
}

function removed(
  { modules, served }: Pick<ResourceRequest, 'modules' | 'served'>,
  object: ApiObject,
  { isDryRun }: DeleteOptions,
): Deletion {
  const last = isDryRun ? object : modules.storages.of(served).remove(object);
  return { isDeleted: true, object: strategyOf(served.resource).returnsDeleted ? last : undefined, last };
}

/**
 * The object marked as being deleted, with the finalizers that the options ask for; the object itself if nothing
 * changes; undefined if it is to be removed without a mark; 'pending' if it only waits for its grace period.
 */
function marking(
  served: ServedResource,
  stored: ApiObject,
  options: DeleteOptions,
  nowMillis: number,
): ApiObject | 'pending' | undefined {
  const old = stored.metadata as ApiMetadata;
  const metadata = { ...old };
  const grace = isPod(served.resource) ? markGrace(stored, metadata, options, nowMillis) : 'none';
  const finalizers = wantedFinalizers(served.resource, old, options);
  if (grace === 'pending') return 'pending';
  const hasChanged = finalizers.join() !== (old.finalizers ?? []).join();
  if (hasChanged) {
    if (finalizers.length === 0) delete metadata.finalizers;
    else metadata.finalizers = finalizers;
  }
  if (grace === 'none') {
    if (finalizers.length === 0) return undefined;
    markNow(metadata, nowMillis);
  }
  const isSame = JSON.stringify(metadata) === JSON.stringify(old);
  return isSame ? stored : { ...stored, metadata };
}

/** Marks an object that has no grace period, but finalizers. */
function markNow(metadata: ApiMetadata, nowMillis: number): void {
  // A definition of custom resources is marked before, without a grace period.
  if (metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === undefined) return;
  if (metadata.deletionGracePeriodSeconds === undefined && (metadata.generation ?? 0) > 0) {
    metadata.generation = (metadata.generation ?? 0) + 1;
  }
  metadata.deletionTimestamp ??= timeAtMillis(nowMillis);
  metadata.deletionGracePeriodSeconds = 0;
}

/** Marks a pod by its grace period, which a second DELETE may only shorten (upstream: rest.BeforeDelete). */
function markGrace(
  pod: ApiObject,
  metadata: ApiMetadata,
  options: DeleteOptions,
  nowMillis: number,
): 'none' | 'graceful' | 'pending' {
  const { deletionTimestamp, deletionGracePeriodSeconds: left } = metadata;
  if (deletionTimestamp !== undefined) {
    if (!left) return 'none';
    const wanted = options.gracePeriodSeconds;
    if (wanted === undefined || wanted >= left) return 'pending';
    const period = wanted < 0 ? 1 : wanted;
    const sinceMillis = Date.parse(deletionTimestamp) - millisOfSeconds(left);
    metadata.deletionTimestamp = timeAtMillis(sinceMillis + millisOfSeconds(period));
    metadata.deletionGracePeriodSeconds = period;
    return 'graceful';
  }
  const seconds = podGraceSeconds(pod, options);
  metadata.deletionTimestamp = timeAtMillis(nowMillis + millisOfSeconds(seconds));
  metadata.deletionGracePeriodSeconds = seconds;
  if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
  return 'graceful';
}

function podGraceSeconds(pod: ApiObject, { gracePeriodSeconds }: DeleteOptions): number {
  const { nodeName = '', terminationGracePeriodSeconds } = (pod['spec'] ?? {}) as {
    nodeName?: string;
    terminationGracePeriodSeconds?: number;
  };
  const { phase } = (pod['status'] ?? {}) as JsonObject;
  if (nodeName === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const seconds = gracePeriodSeconds ?? terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}

function isPod({ group, kind }: ApiResource): boolean {
  return group === '' && kind === 'Pod';
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** The finalizers by which the garbage collector is told what to do with dependents. */
function wantedFinalizers(resource: ApiResource, { finalizers = [] }: ApiMetadata, options: DeleteOptions): string[] {
  const { orphanDependents, propagationPolicy } = options;
  const others = finalizers.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  const isExplicit = orphanDependents !== undefined || propagationPolicy !== undefined;
  const orphans = isExplicit
    ? orphanDependents === true || propagationPolicy === 'Orphan'
    : finalizers.includes(ORPHAN) || (!finalizers.includes(FOREGROUND) && strategyOf(resource).orphansByDefault);
  const isForeground = isExplicit ? propagationPolicy === 'Foreground' : !orphans && finalizers.includes(FOREGROUND);
  const wanted = [...others, ...(orphans ? [ORPHAN] : []), ...(isForeground ? [FOREGROUND] : [])];
  // The order of those that stay is theirs.
  const isSameSet = wanted.length === finalizers.length && wanted.every((name) => finalizers.includes(name));
  return isSameSet ? finalizers : wanted;
}

/** A namespace is first marked; it is removed when it is finalized. */
function deleteNamespace(
  asked: Pick<ResourceRequest, 'modules' | 'served'>,
  stored: ApiObject,
  options: DeleteOptions,
): Deletion {
  const { modules, served } = asked;
  const storage = modules.storages.of(served);
  let current = stored;
  if (stored.metadata?.deletionTimestamp === undefined) {
    const metadata = { ...stored.metadata, deletionTimestamp: timeAtMillis(modules.clock.nowMillis()) };
    const next = { ...stored, metadata, status: { ...(stored['status'] as JsonObject), phase: 'Terminating' } };
    current = options.isDryRun ? next : storage.replace(next, stored);
  }
  const { finalizers = [] } = (current['spec'] ?? {}) as { finalizers?: string[] };
  if (finalizers.length > 0 || (current.metadata?.finalizers ?? []).length > 0) {
    return { isDeleted: false, object: current, last: current };
  }
  return removed(asked, current, options);
}

/** @throws StatusError Conflict */
function refuseOther(resource: ApiResource, { metadata }: ApiObject, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions;
  const kind = { group: resource.group, resource: resource.kind };
  const name = metadata?.name ?? '';
  if (uid !== undefined && uid !== metadata?.uid) {
    const both = `the UID in the precondition (${uid}) does not match the UID in record (${metadata?.uid})`;
    throw conflict(kind, name, `${both}. The object might have been deleted and then recreated`);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata?.resourceVersion) {
    const record = `the ResourceVersion in record (${metadata?.resourceVersion})`;
    const both = `the ResourceVersion in the precondition (${resourceVersion}) does not match ${record}`;
    throw conflict(kind, name, `${both}. The object might have been modified`);
  }
}

function successOf({ group, resource }: ApiResource, { metadata }: ApiObject): JsonObject {
  const details = { name: metadata?.name, ...(group === '' ? {} : { group }), kind: resource, uid: metadata?.uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

const JOB_WARNING =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them ' +
  'or set propagationPolicy=Orphan to suppress this warning';

function policyWarnings(resource: ApiResource, { orphanDependents, propagationPolicy }: DeleteOptions): string[] {
  const isJob = kindText(resource) === 'Job.batch';
  return isJob && orphanDependents === undefined && propagationPolicy === undefined ? [JOB_WARNING] : [];
}

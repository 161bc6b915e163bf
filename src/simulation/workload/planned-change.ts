import type { KubernetesObject } from '../../api/meta.ts';
import { isObject, type UnknownObject } from '../../api/validation/check.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import { namespaceOf } from '../../store/objects/resources.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { applyPatch } from './apply-patch.ts';
import type { NamedObject, SubmittedObject } from './submitted-object.ts';

/** How a user changes an object: as `kubectl apply`, `kubectl patch` and `kubectl delete` do. */
export type ChangeVerb = 'apply' | 'patch' | 'delete';

/** A change that a user makes at a time. */
export interface PlannedChange extends SubmittedObject {
  readonly atMillis: number;
  readonly verb: ChangeVerb;
  /** Where its user finds it, such as `rollout.yaml: changes[1]: Deployment default/web`. */
  readonly place: string;
  /** The manifest that was applied before: what it has and the new one lacks is removed. */
  readonly former?: KubernetesObject | undefined;
}

const LAST_APPLIED_KEY = 'kubectl.kubernetes.io/last-applied-configuration';

/** The changes in the order of their times, each with the manifest of its object that was applied before. */
export function withFormerManifests(
  changes: readonly PlannedChange[],
  objects: readonly NamedObject[],
): readonly PlannedChange[] {
  const manifests = new Map<string, KubernetesObject>();
  for (const each of objects) {
    const manifest = manifestOf(each);
    if (manifest !== undefined) manifests.set(keyOf(each.submitted), manifest);
  }
  return changes
    .toSorted((a, b) => a.atMillis - b.atMillis)
    .map((change) => {
      const key = keyOf(change);
      const former = manifests.get(key);
      if (change.verb === 'apply') manifests.set(key, change.object);
      if (change.verb === 'delete') manifests.delete(key);
      return change.verb === 'apply' ? { ...change, former } : change;
    });
}

/** The manifest that an object was made of; undefined for one of a dump that nobody has applied. */
function manifestOf({ submitted, isLive }: NamedObject): KubernetesObject | undefined {
  const text = submitted.object.metadata?.annotations?.[LAST_APPLIED_KEY];
  if (text === undefined) return isLive === true ? undefined : submitted.object;
  try {
    const applied: unknown = JSON.parse(text);
    return isObject(applied) ? (applied as KubernetesObject) : undefined;
  } catch {
    return undefined;
  }
}

export function keyOf({ resource, object }: SubmittedObject): string {
  const { namespace, name } = object.metadata ?? {};
  return `${resource} ${namespaceOf(resource, namespace)}/${name}`;
}

/**
 * Makes the change.
 *
 * @throws ApiError NotFound (of a patch or deletion), Invalid, Conflict
 */
export function makeChange(client: StoreClient, { verb, resource, object, former }: PlannedChange): void {
  const { metadata: { namespace: given, name = '' } = {} } = object;
  const namespace = namespaceOf(resource, given);
  if (verb === 'delete') {
    client.delete(resource, namespace, name, { propagationPolicy: 'Background' });
    return;
  }
  const wanted = patchedPart(object);
  const isThere = verb === 'patch' || ifFound(() => client.get(resource, namespace, name)) !== undefined;
  if (!isThere) {
    client.create(resource, object);
    return;
  }
  const body = verb === 'patch' ? wanted : applyPatch(resource, former && patchedPart(former), wanted);
  client.patch(resource, namespace, name, { type: 'strategic', body });
}

/** What a manifest says about an object, without its name. */
function patchedPart(object: KubernetesObject): UnknownObject {
  const { apiVersion: _version, kind: _kind, status: _status, metadata, ...rest } = object as Record<string, unknown>;
  const { labels, annotations, finalizers } = (isObject(metadata) ? metadata : {}) as NonNullable<
    KubernetesObject['metadata']
  >;
  const { [LAST_APPLIED_KEY]: _applied, ...ownAnnotations } = annotations ?? {};
  const given = {
    ...(labels && { labels }),
    ...(annotations && { annotations: ownAnnotations }),
    ...(finalizers && { finalizers }),
  };
  return { ...rest, ...(Object.keys(given).length > 0 && { metadata: given }) };
}

import type { ControllerRevision } from '../../api/controller-revision.ts';
import type { Selector } from '../../api/label-selector.ts';
import type { PodTemplate } from '../../api/pod-template.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { byName } from '../owned-pods/by-age.ts';
import { adopt, claimed, type Owner } from '../owned-pods/claim.ts';
import { controllerReference } from '../pod-creation.ts';
import { templateHash } from './template-hash.ts';

/** The longest name of an owner that fits into the name of a revision. */
const PREFIX_MAX = 223;

/**
 * The revisions of an object's template, by number. Those without a controller are adopted. Upstream:
 * pkg/controller/history/controller_history.go.
 *
 * @throws ApiError
 */
export function revisionsOf(
  client: StoreClient,
  revisions: Lister<ControllerRevision>,
  owner: Owner,
  selector: Selector,
): readonly ControllerRevision[] {
  const { owned, orphans } = claimed(revisions, owner, selector);
  const adopted = orphans.filter((revision) => adopt(client, 'controllerrevisions', owner, revision));
  return [...owned, ...adopted].sort((a, b) => a.revision - b.revision || byName(a, b));
}

/** The data of a revision: a patch that brings the template back. */
function revisionData(template: PodTemplate): ControllerRevision['data'] {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

export function templateOfRevision({ data }: ControllerRevision): PodTemplate {
  const { $patch: _, ...template } = (data?.spec?.['template'] ?? {}) as PodTemplate & { readonly $patch?: string };
  return template;
}

export function nameOf({ metadata }: ControllerRevision): string {
  return metadata?.name ?? '';
}

export interface CurrentRevision {
  readonly revision: ControllerRevision;
  /** How often the name of a revision was taken by another one. */
  readonly collisionCount: number;
}

export interface RevisionWriting {
  readonly client: StoreClient;
  readonly owner: Owner;
  readonly collisionCount: number;
  /** The label of a new revision with the hash of its template. */
  readonly hashKey: string;
}

/**
 * The revision of the present template: the last one if it is equal, an earlier one with a new number, or a new one.
 *
 * @throws ApiError
 */
export function currentRevision(
  { client, owner, collisionCount, hashKey }: RevisionWriting,
  revisions: readonly ControllerRevision[],
  template: PodTemplate,
): CurrentRevision {
  const data = revisionData(template);
  const next = (revisions.at(-1)?.revision ?? 0) + 1;
  const equal = revisions.filter((each) => semanticallyEqual(each.data, data)).at(-1);
  if (equal !== undefined) {
    const isLast = equal === revisions.at(-1);
    const revision = isLast ? equal : client.update('controllerrevisions', { ...equal, revision: next });
    return { revision, collisionCount };
  }
  const { name = '', namespace = '', annotations } = owner.object.metadata ?? {};
  const ownerReferences = [controllerReference(owner.apiVersion, owner.kind, owner.object)];
  for (let collisions = collisionCount; ; collisions++) {
    const hash = templateHash(data, collisions);
    const revisionName = `${name.slice(0, PREFIX_MAX)}-${hash}`;
    const metadata = {
      name: revisionName,
      namespace,
      labels: { ...template.metadata?.labels, [hashKey]: hash },
      ...(annotations && { annotations }),
      ownerReferences,
    };
    try {
      const revision = client.create('controllerrevisions', { metadata, data, revision: next });
      return { revision, collisionCount: collisions };
    } catch (error) {
      if (!isApiError(error, 'AlreadyExists')) throw error;
      // The cache may not show a revision of ours yet.
      const revision = client.get('controllerrevisions', namespace, revisionName);
      const isOurs = revision.metadata?.ownerReferences?.some(({ uid }) => uid === owner.object.metadata?.uid);
      if (isOurs && semanticallyEqual(revision.data, data)) return { revision, collisionCount: collisions };
    }
  }
}

/** Deletes the oldest of the revisions that are not in use. @throws ApiError */
export function truncateHistory(client: StoreClient, unused: readonly ControllerRevision[], surplus: number): void {
  for (const { metadata } of unused.slice(0, Math.max(0, surplus))) {
    try {
      client.delete('controllerrevisions', metadata?.namespace ?? '', metadata?.name ?? '');
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
    }
  }
}

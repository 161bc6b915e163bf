import {
  FOREGROUND_FINALIZER,
  finalizerPolicy,
  type KubernetesObject,
  ORPHAN_FINALIZER,
  type OwnerReference,
} from '../../api/meta.ts';
import { forAll } from '../../lib/for-all.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import type { PropagationPolicy } from '../../store/objects/store-client.ts';
import type { GarbageApi } from './garbage-api.ts';
import { type ClassifiedOwners, classifyOwners } from './owners.ts';
import { blocksDeletionOf, type GraphNode, type OwnershipGraph } from './ownership-graph.ts';
import { isHeldBy, removeFinalizer, removeOwners, unblockOwners } from './patches.ts';

export interface CollectModules {
  readonly api: GarbageApi;
  readonly graph: OwnershipGraph;
  /** Queues another object for collection. */
  readonly attemptToDelete: (uid: string) => void;
}

/**
 * Decides whether to delete an object by its current state in the API, whatever the graph shows:
 *
 * ```
 *   gone, or being deleted ─────────────────────────────────▶ nothing
 *   being deleted in the foreground ─ dependents block it ──▶ collect these
 *                                   └ none does ────────────▶ remove the finalizer
 *   owners that cannot be classified ───────────────────────▶ nothing
 *   an owner exists ────────────────────────────────────────▶ remove the references to missing owners
 *   an owner waits for it, and it has dependents itself ────▶ delete it in the foreground
 *   owners, but none exists ────────────────────────────────▶ delete it
 * ```
 *
 * Upstream: attemptToDeleteItem in pkg/controller/garbagecollector/garbagecollector.go.
 *
 * @returns the owners found; undefined when there was nothing to decide
 * @throws ApiError to be retried
 */
export function collectObject(modules: CollectModules, node: GraphNode): ClassifiedOwners | undefined {
  const { api, graph } = modules;
  const latest = getLatest(api, node);
  if (latest?.metadata?.deletionTimestamp) {
    if (isHeldBy(latest, FOREGROUND_FINALIZER)) releaseWhenAlone(modules, node, latest);
    return undefined;
  }
  if (!latest?.metadata?.ownerReferences?.length) return undefined;
  const owners = classifyOwners(api, latest, (uid) => graph.wasDeleted(uid));
  if (owners === undefined) return undefined;
  if (owners.solid.length > 0) removeOwners(api, node.resource, latest, [...owners.dangling, ...owners.waiting]);
  else deleteObject(modules, node, latest, owners.waiting);
  return owners;
}

/** The current object; undefined when it is gone, even if another object has its name. */
function getLatest(api: GarbageApi, { uid, resource, metadata }: GraphNode): KubernetesObject | undefined {
  const { namespace = '', name = '' } = metadata;
  const latest = ifFound(() => api.get(resource, namespace, name));
  return latest?.metadata?.uid === uid ? latest : undefined;
}

/**
 * Removes the owner's finalizer if no dependent blocks it any more. All dependents were queued when the owner began to
 * wait, or when they were first seen, so queueing one of them is enough to continue.
 */
function releaseWhenAlone(
  { api, graph, attemptToDelete }: CollectModules,
  { uid, resource }: GraphNode,
  latest: KubernetesObject,
): void {
  const blocker = graph.findDependent(uid, (dependent) => blocksDeletionOf(uid, dependent));
  if (blocker === undefined) removeFinalizer(api, resource, latest, FOREGROUND_FINALIZER);
  else if (!isHeldBy(blocker, FOREGROUND_FINALIZER)) attemptToDelete(blocker.uid);
}

function deleteObject(
  { api, graph }: CollectModules,
  { uid, resource }: GraphNode,
  latest: KubernetesObject,
  waiting: readonly OwnerReference[],
): void {
  const hasDependents = graph.findDependent(uid, () => true) !== undefined;
  if (waiting.length === 0 || !hasDependents) {
    deleteUnchanged(api, resource, latest, finalizerPolicy(latest.metadata ?? {}) ?? 'Background');
    return;
  }
  // When objects wait for each other in a circle, one of them has to stop waiting.
  const isHeld = (dependent: GraphNode): boolean => isHeldBy(dependent, FOREGROUND_FINALIZER);
  const isInCircle = graph.findDependent(uid, isHeld) !== undefined;
  deleteUnchanged(api, resource, isInCircle ? unblockOwners(api, resource, latest) : latest, 'Foreground');
}

/** Deletes the object only if it is unchanged, since the decision does not hold after a change, such as a new owner. */
function deleteUnchanged(
  api: GarbageApi,
  resource: string,
  { metadata }: KubernetesObject,
  propagationPolicy: PropagationPolicy,
): void {
  const { namespace = '', name = '', uid, resourceVersion } = metadata ?? {};
  const preconditions = { uid, resourceVersion };
  ifFound(() => api.delete(resource, namespace, name, { propagationPolicy, preconditions }));
}

/**
 * Removes the reference to the owner from all its dependents, and then the finalizer from the owner. If a dependent
 * cannot be changed, the others still are, and the owner is kept for the next attempt.
 *
 * Upstream: attemptToOrphanWorker in pkg/controller/garbagecollector/garbagecollector.go.
 *
 * @throws ApiError the first one, to be retried
 */
export function orphanDependents(api: GarbageApi, graph: OwnershipGraph, owner: GraphNode): void {
  const latest = getLatest(api, owner);
  if (latest === undefined || !isHeldBy(latest, ORPHAN_FINALIZER)) return;
  forAll(graph.dependentsOf(owner.uid), (dependent) => {
    ifFound(() => removeOwners(api, dependent.resource, dependent, [owner]));
  });
  removeFinalizer(api, owner.resource, latest, ORPHAN_FINALIZER);
}

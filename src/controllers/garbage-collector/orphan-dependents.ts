import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { getLatest } from './collect-object.ts';
import { isHeldBy, ORPHAN_FINALIZER, removeFinalizer } from './finalizers.ts';
import { removeOwners } from './owner-patches.ts';
import type { GraphNode, OwnershipGraph } from './ownership-graph.ts';

/**
 * Removes the reference to the owner from all its dependents, and then the finalizer from the owner. If a dependent
 * cannot be changed, the others still are, and the owner is kept for the next attempt.
 *
 * Upstream: attemptToOrphanWorker in pkg/controller/garbagecollector/garbagecollector.go.
 *
 * @throws ApiError the first one, to be retried
 */
export function orphanDependents(client: StoreClient, graph: OwnershipGraph, owner: GraphNode): void {
  const latest = getLatest(client, owner);
  if (latest === undefined || !isHeldBy(latest, ORPHAN_FINALIZER)) return;
  const errors: unknown[] = [];
  for (const { resource, object } of graph.dependentsOf(owner.uid)) {
    try {
      removeOwners(client, resource, object, [owner]);
    } catch (error) {
      if (!isApiError(error, 'NotFound')) errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  removeFinalizer(client, owner.resource, latest, ORPHAN_FINALIZER);
}

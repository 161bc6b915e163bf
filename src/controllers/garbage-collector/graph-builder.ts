import { FOREGROUND_FINALIZER, type KubernetesObject, ORPHAN_FINALIZER, type OwnerReference } from '../../api/meta.ts';
import type { GarbageApi } from './garbage-api.ts';
import {
  blocksDeletionOf,
  type GraphNode,
  looksSame,
  nodeOf,
  type OwnershipGraph,
  ownersOf,
} from './ownership-graph.ts';
import { isHeldBy } from './patches.ts';

/** The queues that the graph builder adds uids to. */
export interface GarbageAttempts {
  /** The object may have no owner left, or may be an owner whose dependents are gone. */
  attemptToDelete(uid: string): void;
  /** The owner is being deleted, and its dependents stay. */
  attemptToOrphan(uid: string): void;
}

/**
 * Updates the graph from the informers' events, and queues the objects that each event may affect. The queues hold mere
 * candidates; the API is asked before anything is deleted.
 *
 * Upstream: processGraphChanges in pkg/controller/garbagecollector/graph_builder.go.
 */
export class GraphBuilder {
  readonly #graph: OwnershipGraph;
  readonly #api: Pick<GarbageApi, 'resourceOf'>;
  readonly #attempts: GarbageAttempts;

  constructor(graph: OwnershipGraph, api: Pick<GarbageApi, 'resourceOf'>, attempts: GarbageAttempts) {
    this.#graph = graph;
    this.#api = api;
    this.#attempts = attempts;
  }

  observe(resource: string, object: KubernetesObject): void {
    this.#replace(this.#graph.get(object.metadata?.uid ?? ''), nodeOf(resource, object));
  }

  /** As `observe` of an object that was last observed as `before`, or as one that looks the same. */
  update(resource: string, before: KubernetesObject, after: KubernetesObject): void {
    if (!looksSame(before, after)) this.#replace(nodeOf(resource, before), nodeOf(resource, after));
  }

  #replace(before: GraphNode | undefined, node: GraphNode): void {
    const { uid } = node;
    this.#graph.set(node, before);
    if (ownersOf(before) !== ownersOf(node)) this.#compareOwners(before, node);
    if (startsToBeHeld(before, node, ORPHAN_FINALIZER)) this.#attempts.attemptToOrphan(uid);
    if (startsToBeHeld(before, node, FOREGROUND_FINALIZER)) {
      for (const dependent of this.#graph.dependentsOf(uid)) this.#attempts.attemptToDelete(dependent.uid);
      this.#attempts.attemptToDelete(uid);
    }
  }

  remove(object: KubernetesObject): void {
    const uid = object.metadata?.uid ?? '';
    const node = this.#graph.get(uid);
    if (node === undefined) return;
    this.#graph.delete(uid);
    for (const dependent of this.#graph.dependentsOf(uid)) this.#attempts.attemptToDelete(dependent.uid);
    for (const owner of ownersOf(node)) this.#reviewOwner(owner.uid);
  }

  #compareOwners(before: GraphNode | undefined, node: GraphNode): void {
    const known = ownersOf(before);
    const isKnown = (owner: OwnerReference): boolean => known.some(({ uid }) => uid === owner.uid);
    const isDoubtful = ownersOf(node).some((owner) => !isKnown(owner) && !this.#isSound(owner, node));
    if (isDoubtful) this.#attempts.attemptToDelete(node.uid);
    for (const { uid, blockOwnerDeletion } of ownersOf(before)) {
      if (blockOwnerDeletion === true && !blocksDeletionOf(uid, node)) this.#reviewOwner(uid);
    }
  }

  /** Whether the owner with this uid exists, matches the reference, and does not wait for its dependents. */
  #isSound(reference: OwnerReference, dependent: GraphNode): boolean {
    const owner = this.#graph.get(reference.uid);
    if (owner === undefined || isHeldBy(owner, FOREGROUND_FINALIZER)) return false;
    const { name, namespace = '' } = owner.metadata;
    const isReachable = namespace === '' || namespace === dependent.metadata.namespace;
    return isReachable && name === reference.name && owner.resource === this.#api.resourceOf(reference)?.resource;
  }

  /** Queues an owner that waits for its dependents, since it may have waited for this event. */
  #reviewOwner(uid: string): void {
    const owner = this.#graph.get(uid);
    if (owner !== undefined && isHeldBy(owner, FOREGROUND_FINALIZER)) this.#attempts.attemptToDelete(uid);
  }
}

function startsToBeHeld(before: GraphNode | undefined, node: GraphNode, finalizer: string): boolean {
  return isHeldBy(node, finalizer) && !(before !== undefined && isHeldBy(before, finalizer));
}

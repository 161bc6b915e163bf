import type { KubernetesObject, ObjectMeta, OwnerReference } from '../../api/meta.ts';
import { getOrMake } from '../../lib/get-or-make.ts';

/** What the collector reads of an object. */
export type KnownMetadata = Pick<
  ObjectMeta,
  'namespace' | 'name' | 'uid' | 'ownerReferences' | 'finalizers' | 'deletionTimestamp'
>;

/** An object as an informer showed it last: no more of it than is read, since most changes are about the rest. */
export interface GraphNode {
  readonly uid: string;
  /** The name of its resource: one of the store, or of others. */
  readonly resource: string;
  readonly metadata: KnownMetadata;
}

/** The node of an object. */
export function nodeOf(resource: string, { metadata = {} }: KubernetesObject): GraphNode {
  const { namespace, name, uid = '', ownerReferences, finalizers, deletionTimestamp } = metadata;
  return { uid, resource, metadata: { namespace, name, uid, ownerReferences, finalizers, deletionTimestamp } };
}

/** Whether the collector reads the same of both, which are states of one object. */
export function looksSame({ metadata: a = {} }: KubernetesObject, { metadata: b = {} }: KubernetesObject): boolean {
  return (
    a.ownerReferences === b.ownerReferences &&
    a.finalizers === b.finalizers &&
    a.deletionTimestamp === b.deletionTimestamp
  );
}

/** Upstream: the size of the cache of absent owners. */
const DELETED_MAX = 500;

/**
 * The owner references of all observed objects, by uid. An owner that is not observed (yet, or any more) still has
 * dependents, so the order in which informers show owners and dependents does not matter.
 */
export class OwnershipGraph {
  readonly #nodes = new Map<string, GraphNode>();
  /** The uids of dependents by the uid of their owner. */
  readonly #dependents = new Map<string, Set<string>>();
  /** The uids of owners that were deleted last. */
  readonly #deleted = new Set<string>();

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** Adds the node, or replaces `before`: what the graph has of the same object. */
  set(node: GraphNode, before: GraphNode | undefined): void {
    this.#nodes.set(node.uid, node);
    const [oldOwners, newOwners] = [ownersOf(before), ownersOf(node)];
    if (oldOwners === newOwners) return;
    for (const { uid } of oldOwners) this.#unlink(uid, node.uid);
    for (const { uid } of newOwners) getOrMake(this.#dependents, uid, () => new Set()).add(node.uid);
  }

  delete(uid: string): void {
    for (const owner of ownersOf(this.#nodes.get(uid))) this.#unlink(owner.uid, uid);
    this.#nodes.delete(uid);
    if (!this.#dependents.has(uid)) return;
    this.#deleted.add(uid);
    if (this.#deleted.size > DELETED_MAX) for (const oldest of this.#deleted) return void this.#deleted.delete(oldest);
  }

  /** Whether an owner with this uid was deleted a short while ago. */
  wasDeleted(uid: string): boolean {
    return this.#deleted.has(uid);
  }

  /** The dependents of the owner, in the order in which they got their reference to it. */
  dependentsOf(ownerUid: string): GraphNode[] {
    return [...(this.#dependents.get(ownerUid) ?? [])].map((uid) => this.#nodes.get(uid) as GraphNode);
  }

  /** The first dependent that is wanted. */
  findDependent(ownerUid: string, isWanted: (dependent: GraphNode) => boolean): GraphNode | undefined {
    for (const uid of this.#dependents.get(ownerUid) ?? []) {
      const dependent = this.#nodes.get(uid) as GraphNode;
      if (isWanted(dependent)) return dependent;
    }
    return undefined;
  }

  #unlink(ownerUid: string, uid: string): void {
    const dependents = this.#dependents.get(ownerUid);
    if (dependents?.delete(uid) && dependents.size === 0) this.#dependents.delete(ownerUid);
  }
}

const NOBODY: readonly OwnerReference[] = [];

export function ownersOf(node: GraphNode | undefined): readonly OwnerReference[] {
  return node?.metadata.ownerReferences ?? NOBODY;
}

/** Whether the owner, deleted in the foreground, waits for this dependent. */
export function blocksDeletionOf(ownerUid: string, dependent: GraphNode): boolean {
  return ownersOf(dependent).some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion === true);
}

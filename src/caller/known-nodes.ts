import type { Node } from '../api/node.ts';
import { SignatureTree } from '../engine/signature/signature-tree.ts';

/** The maximum number of steps in the tree of what was checked. */
const MOST_STEPS = 20_000;
/** How many nodes more may be like no other than are like one before them. */
const MOST_MISSES = 100;

/**
 * The nodes that were checked, without their metadata. Nodes of one pool mostly differ in names and labels alone, so
 * that the rest is looked up by its values instead of being checked again. Where statuses hold times, no node is like
 * another: then they are not looked up any more.
 */
export class KnownNodes {
  readonly #tree = new SignatureTree<true>(MOST_STEPS);
  #missesLeft = MOST_MISSES;

  /** Whether a node was added that equals this one but for the metadata. This node need not be checked yet. */
  has(node: Node): boolean {
    if (this.#missesLeft === 0) return false;
    this.#tree.find();
    const isLike = this.#walk(node) && this.#tree.value === true;
    const isKnown = isLike && !hasUndefinedInside(node.spec) && !hasUndefinedInside(node.status);
    if (isKnown && this.#missesLeft < MOST_MISSES) this.#missesLeft++;
    return isKnown;
  }

  /** Adds a node that is valid and holds no null. */
  add(node: Node): void {
    if (this.#missesLeft === 0) return;
    this.#missesLeft--;
    this.#tree.grow();
    if (this.#walk(node)) this.#tree.value = true;
  }

  #walk(node: Node): boolean {
    const tree = this.#tree;
    try {
      const { apiVersion, kind, spec, status } = node;
      return tree.walk(apiVersion) && tree.walk(kind) && tree.walk(spec) && tree.walk(status);
    } catch {
      // The node is not checked yet, so it can be anything, even an object that contains itself.
      return false;
    }
  }
}

/**
 * Whether something in a member of the spec or status has no value: the tree passes over it, but the check of a map,
 * such as that of allocatable resources, refuses it. Members themselves may be without a value.
 */
function hasUndefinedInside(part: object | undefined): boolean {
  for (const key in part) if (hasUndefined((part as Members)[key])) return true;
  return false;
}

function hasUndefined(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (const key in value) {
    const member = (value as Members)[key];
    if (member === undefined || hasUndefined(member)) return true;
  }
  return false;
}

type Members = Readonly<Record<string, unknown>>;

import type { Node } from '../../api/node.ts';
import type { AllocationResult, ResourceClaim } from '../../api/resource-claims.ts';
import { stateKey } from '../../framework/cycle-state.ts';
import type { Status } from '../../framework/status.ts';
import type { Allocator } from './allocator/allocator.ts';
import type { AskedClaims } from './asked-claims.ts';
import type { ClaimShape } from './claim-shapes.ts';
import type { ExtendedClaim, NodeClaim } from './extended/extended-claim.ts';

/** A claim of the pod in this attempt. */
export interface AttemptClaim {
  readonly claim: ResourceClaim;
  /** Whether an allocated claim can be used on the node. */
  isUsableOn(node: Node): boolean;
  /** Whether it can be used on every node. */
  readonly isUsableAnywhere: boolean;
}

/** The devices that a node would give. */
export interface NodeAllocation {
  /** What the unallocated claims get, in their order, and then the claim for extended resources if there is one. */
  readonly results: readonly AllocationResult[];
  /** The claim for extended resources; null if the pod or the node needs none. */
  readonly extended: NodeClaim | null;
}

/** What a node gives to claims that ask it for nothing. */
export const NO_DEVICES: NodeAllocation = { results: [], extended: null };

/** Whether the node refuses the claims, and why. */
export function isStatus(found: NodeAllocation | Status): found is Status {
  return 'code' in found;
}

/** The devices that were found, by node name. Most attempts look for those of one node alone, and need no map. */
export class FoundOnNodes {
  #name = '';
  #first: NodeAllocation | undefined;
  #others: Map<string, NodeAllocation> | null = null;

  get(name: string): NodeAllocation | undefined {
    return name === this.#name ? this.#first : this.#others?.get(name);
  }

  set(name: string, found: NodeAllocation): void {
    if (this.#first === undefined) this.#name = name;
    if (name === this.#name) {
      this.#first = found;
      return;
    }
    this.#others ??= new Map();
    this.#others.set(name, found);
  }
}

/** What the plugin knows about an attempt to place a pod with claims (upstream's stateData). */
export interface AttemptState {
  /** The claims that the pod names. */
  readonly claims: readonly AttemptClaim[];
  /** Claims of the pod that have no devices yet. */
  readonly unallocated: readonly ResourceClaim[];
  /** The unallocated claims, and the claim for extended resources. */
  readonly asked: AskedClaims;
  /** What other pods of the same group, tried before, got for claims that have no devices yet. */
  readonly shared: ReadonlyMap<ResourceClaim, AllocationResult>;
  /** The claim for extended resources that devices provide; null if the pod requests none. */
  readonly extended: ExtendedClaim | null;
  readonly allocator: Allocator;
  /** What is known about unallocated claims of this shape; null if it was not looked up. */
  shape: ClaimShape | null;
  readonly found: FoundOnNodes;
  /** The claims as far as they were written, in their order. */
  written: readonly ResourceClaim[];
  /** What the unallocated claims get, once a node was chosen. */
  allocations: ReadonlyMap<ResourceClaim, AllocationResult>;
  /** The claim for extended resources on the chosen node, as it was written last; null if there is none. */
  reserved: { readonly node: NodeClaim; readonly allocation: AllocationResult; written: ResourceClaim | null } | null;
}

/** Stands for the state of an attempt in which the plugin has nothing to do. */
export const NO_CLAIMS: Pick<AttemptState, 'claims'> = { claims: [] };

export const ATTEMPT = stateKey<AttemptState | typeof NO_CLAIMS>('DynamicResources');

/** Whether the plugin has something to do in the attempt. */
export function isActive(attempt: AttemptState | typeof NO_CLAIMS): attempt is AttemptState {
  return 'allocator' in attempt;
}

import type { Node } from '../../api/node.ts';
import type { AllocationResult, ResourceClaim } from '../../api/resource-claims.ts';
import { stateKey } from '../../framework/cycle-state.ts';
import type { Allocator } from './allocator/allocator.ts';

/** A claim of the pod in this attempt. */
export interface AttemptClaim {
  readonly claim: ResourceClaim;
  /** Whether an allocated claim can be used on the node. */
  isUsableOn(node: Node): boolean;
}

/** What the plugin knows about an attempt to place a pod with claims (upstream's stateData). */
export interface AttemptState {
  readonly claims: readonly AttemptClaim[];
  /** The claims that have no devices yet. */
  readonly unallocated: readonly ResourceClaim[];
  readonly allocator: Allocator;
  /** The devices that were found, by node name, in the order of `unallocated`. */
  readonly found: Map<string, readonly AllocationResult[]>;
  /** What the unallocated claims get, once a node was chosen. */
  allocations: ReadonlyMap<ResourceClaim, AllocationResult>;
}

export const NO_CLAIMS: Pick<AttemptState, 'claims'> = { claims: [] };

export const ATTEMPT = stateKey<AttemptState | typeof NO_CLAIMS>('DynamicResources');

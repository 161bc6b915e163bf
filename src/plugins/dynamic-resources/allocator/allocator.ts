import type { Node } from '../../../api/node.ts';
import type { AllocationResult, ResourceClaim } from '../../../api/resource-claims.ts';
import { combined } from '../../../lib/combined.ts';
import { allocationResult, onNode, type SelectedNode } from './allocation-result.ts';
import { type Constraint, constraintOf } from './constraints.ts';
import type { Pool } from './pools.ts';
import { type ClaimPlan, claimKey, type PlanModules, planClaim } from './request-plan.ts';
import { Search, type TakenDevice } from './search.ts';
import { AllocationError, TIMED_OUT } from './selector-cache.ts';

export interface AllocatorModules extends PlanModules {
  /** The pools that the node can use, as `poolsOf` in pools.ts finds them. */
  poolsOf(node: Node): readonly Pool[];
  /** Begins a search on one node; the result returns whether the search has taken too long. Absent: it never has. */
  startSearch?(): () => boolean;
}

/** The devices of each claim. */
export type FoundDevices = readonly (readonly TakenDevice[])[];

/** Why a node cannot serve the claims. */
export type Refusal =
  | 'cannot allocate all claims'
  | 'invalid resource pools were encountered'
  | 'timed out trying to allocate devices';

/** Finds devices for claims on a node, for all attempts of a profile (upstream's structured allocator). */
export class Allocator {
  readonly #modules: AllocatorModules;

  constructor(modules: AllocatorModules) {
    this.#modules = modules;
  }

  /** Returns the devices of each claim, in their order; why there are none; or an error that ends the attempt. */
  allocate(node: Node, claims: readonly ResourceClaim[]): readonly AllocationResult[] | Refusal | AllocationError {
    const found = this.find(node, claims);
    if (typeof found === 'string' || found instanceof AllocationError) return found;
    return this.resultsOf(claims, found, { selector: onNode(node.metadata?.name ?? '') });
  }

  /** As `allocate`, but returns the devices as the search took them. */
  find(node: Node, claims: readonly ResourceClaim[]): FoundDevices | Refusal | AllocationError {
    const { features, allocated } = this.#modules;
    const pools = this.#modules.poolsOf(node);
    const plans = this.#plans(claims, pools);
    if (plans instanceof AllocationError) return plans;
    const found = new Search(features, allocated, pools, plans, this.#modules.startSearch?.()).run();
    if (found === TIMED_OUT) return 'timed out trying to allocate devices';
    if (found instanceof AllocationError) return found;
    if (found === null) {
      return pools.some(({ isInvalid }) => isInvalid)
        ? 'invalid resource pools were encountered'
        : 'cannot allocate all claims';
    }
    return found;
  }

  /** What the claims get that were found these devices on the node. */
  resultsOf(
    claims: readonly ResourceClaim[],
    found: FoundDevices,
    node: SelectedNode,
  ): readonly AllocationResult[] | AllocationError {
    const { features } = this.#modules;
    const results = new Array<AllocationResult>(claims.length);
    for (let i = 0; i < claims.length; i++) {
      const result = allocationResult(features, claims[i] as ResourceClaim, found[i] ?? [], node);
      if (result instanceof AllocationError) return result;
      results[i] = result;
    }
    return results;
  }

  #plans(claims: readonly ResourceClaim[], pools: readonly Pool[]): PlannedClaim[] | AllocationError {
    const plans: PlannedClaim[] = [];
    for (const claim of claims) {
      const plan = planClaim(this.#modules, claim, pools);
      if (plan instanceof AllocationError) return plan;
      const constraints = this.#constraintsOf(claim);
      if (constraints instanceof AllocationError) return constraints;
      plans.push(combined(plan, { constraints }));
    }
    return plans;
  }

  #constraintsOf(claim: ResourceClaim): Constraint[] | AllocationError {
    const { DRAConsumableCapacity, DRADeviceBindingConditions } = this.#modules.features;
    const hasDistinct = DRAConsumableCapacity || DRADeviceBindingConditions;
    const constraints: Constraint[] = [];
    for (const [i, wanted] of (claim.spec?.devices?.constraints ?? []).entries()) {
      const constraint = constraintOf(wanted, hasDistinct);
      if (constraint === null) {
        const reason = 'empty constraint (unsupported constraint type?)';
        return new AllocationError(`claim ${claimKey(claim)}, constraint #${i}: ${reason}`);
      }
      constraints.push(constraint);
    }
    return constraints;
  }
}

type PlannedClaim = ClaimPlan & { readonly constraints: readonly Constraint[] };

import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { AllocationResult, ResourceClaim, ResourceSlice } from '../../../src/api/resource-claims.ts';
import type { Expectation, RecordedCase } from '../read-cases.ts';

/** A decision about a pod with claims. */
export interface DraDecideCase extends Omit<RecordedCase, 'expect'> {
  readonly expect: Expectation & {
    readonly chosen?: string;
    /** The devices by node and claim. */
    readonly devices?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
    readonly allocation?: Readonly<Record<string, AllocationResult>>;
    readonly preBind?: RecordedPreBind;
    readonly postFilter?: { readonly api?: readonly unknown[] };
  };
}

export interface RecordedPreBind {
  readonly code: string;
  readonly message?: string;
  readonly api?: readonly unknown[];
  readonly events?: readonly unknown[];
  readonly waitedSeconds?: number;
}

export interface DraSequenceCase extends Omit<RecordedCase, 'steps'> {
  readonly steps: readonly DraStep[];
}

export interface DraStep {
  readonly op: 'schedule' | 'retry' | 'deletePod' | 'putSlice' | 'addNode';
  readonly addClaims?: readonly ResourceClaim[];
  readonly object?: Pod;
  readonly name?: string;
  readonly deletedClaims?: readonly string[];
  readonly updatedClaims?: readonly UpdatedClaim[];
  readonly slice?: ResourceSlice;
  readonly node?: Node;
  readonly expect?: Readonly<Record<string, unknown>> & { readonly api?: readonly unknown[] };
}

/** A claim that the pod `unreserve` no longer uses. */
export interface UpdatedClaim {
  readonly claim: string;
  readonly unreserve: string;
  readonly deallocate?: boolean;
}

export function isDraDecide(recorded: { readonly kind: string; readonly features: readonly string[] }): boolean {
  return recorded.kind === 'decide' && (recorded.features[0] ?? '').startsWith('dynamicresources');
}

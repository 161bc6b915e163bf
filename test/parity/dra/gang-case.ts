import type { Kind } from '../../../src/api/kinds.ts';
import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { FeatureGates } from '../../../src/config/feature-gates.ts';
import type { RecordedObjects } from '../read-cases.ts';

/** One recorded scenario of groups of pods, through queue and cycles. */
export interface GangCase {
  readonly kind: 'gang';
  readonly name: string;
  readonly features: readonly string[];
  readonly featureGates: Partial<FeatureGates>;
  readonly objects: RecordedObjects;
  readonly steps: readonly GangStep[];
}

export interface GangWrite {
  readonly op: 'add' | 'update' | 'remove' | 'delete' | 'removeTerminating';
  readonly kind: Kind;
  readonly object?: KubernetesObject;
  readonly name?: string;
}

export interface GangStep {
  readonly writes?: readonly GangWrite[];
  /** So many attempts that may take pods from back-off. */
  readonly schedule?: number;
  /** So many seconds pass. */
  readonly advance?: number;
  /** The next binding of these pods fails. */
  readonly failBind?: readonly string[];
  readonly expect: GangOutcome;
}

export interface GangOutcome {
  /** Seconds, at the end of the step. */
  readonly t: number;
  readonly attempts: readonly GangAttempt[];
  readonly state: Readonly<Record<string, unknown>>;
}

export interface GangAttempt {
  readonly t?: number;
  /** Pod and node of each try, `-` for none; not in all scenarios. */
  readonly tries?: readonly string[];
  readonly events?: readonly unknown[];
  readonly api?: readonly unknown[];
  readonly background?: true;
}

export function isGangCase(recorded: object): recorded is GangCase {
  return 'kind' in recorded && recorded.kind === 'gang';
}

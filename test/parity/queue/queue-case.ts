import type { KubernetesObject } from '../../../src/api/meta.ts';

/** An entry of the log; its fields depend on `k`. */
export interface LogEntry {
  readonly k: string;
  readonly [field: string]: unknown;
}

export interface QueueStep {
  readonly op: string;
  readonly kind?: string;
  readonly object?: KubernetesObject;
  readonly name?: string;
  readonly hold?: readonly string[];
  readonly seconds?: number;
  readonly pods?: readonly string[];
  readonly fault?: RecordedFault;
  readonly plugin?: string;
  readonly message?: string;
  readonly expect: QueueExpectation;
}

export interface QueueExpectation {
  /** Seconds, at the end of the step. */
  readonly t: number;
  readonly log: readonly LogEntry[];
  readonly state: Readonly<Record<string, unknown>>;
}

/** The next `times` calls that match fail. */
export interface RecordedFault {
  readonly verb: string;
  readonly resource: string;
  readonly name?: string;
  readonly error: string;
  readonly times: number;
}

export interface QueueConfig {
  readonly probes?: boolean;
  readonly secondProfile?: string;
  readonly extensionPoints?: boolean;
  readonly realTies?: boolean;
  readonly eagerWatch?: boolean;
}

/** One recorded scenario of the scheduling queue or of the cycles. */
export interface QueueCase {
  readonly kind: 'queue' | 'cycle';
  readonly name: string;
  readonly family: string;
  readonly config?: QueueConfig;
  readonly steps: readonly QueueStep[];
}

export function isQueueCase(recorded: object): recorded is QueueCase {
  return 'kind' in recorded && (recorded.kind === 'queue' || recorded.kind === 'cycle');
}

/** The name of an object as logs have it: without the default namespace. */
export function displayName({ metadata }: KubernetesObject): string {
  const { namespace, name = '' } = metadata ?? {};
  return namespace === undefined || namespace === 'default' ? name : `${namespace}/${name}`;
}

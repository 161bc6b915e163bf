import type { Job } from '../../../src/api/job.ts';
import type { OwnerReference } from '../../../src/api/meta.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { PropagationPolicy } from '../../../src/store/objects/store-client.ts';
import type { ControlCase } from './control-case.ts';

export interface JobCase extends ControlCase {
  readonly config: { readonly statusValidation: boolean; readonly staleConsistency: boolean };
  /** The Job as the user sent it, and then as it was stored. */
  readonly submitted: Job;
  readonly job: Job;
  readonly steps: readonly JobStep[];
}

/** What one step shows; its members are those of the recording. */
export type Observation = Readonly<Record<string, unknown>>;

export type WatchedKind = 'pods' | 'jobs';

export interface JobFault {
  readonly verb: 'create' | 'delete' | 'patch' | 'updateStatus' | 'getJob';
  readonly kind: 'internal' | 'conflict' | 'forbidden' | 'notFound' | 'namespaceTerminating';
  /** The pod whose calls fail; absent: all. */
  readonly pod?: string;
  /** The completion index whose creations fail; absent: all. */
  readonly index?: number;
  /** Matching calls that pass first. */
  readonly skip?: number;
  /** Matching calls that fail then; 0 or absent: all. */
  readonly times?: number;
}

/** What is set of a pod; what is absent stays. */
export interface PodChange {
  readonly name: string;
  readonly nodeName?: string;
  readonly status?: Pod['status'];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** A step with the parameters of all operations; each operation uses those that it needs. */
export interface JobStep {
  readonly op: string;
  readonly out?: unknown;
  readonly seconds: number;
  readonly submitted?: Job;
  readonly job?: Job;
  readonly pods: readonly unknown[];
  readonly patch: unknown;
  readonly rejected?: string;
  readonly propagationPolicy: PropagationPolicy;
  readonly fault: JobFault;
  readonly kinds: readonly WatchedKind[];
  readonly nextSync?: number;
  readonly action?: string;
  readonly jobGone?: boolean;
}

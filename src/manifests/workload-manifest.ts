import type { KindInfo } from '../api/kinds.ts';
import type { KubernetesObject } from '../api/meta.ts';
import type { Pod } from '../api/pod.ts';
import type { PodTemplate } from '../api/pod-template.ts';
import type { Problem, UnknownObject } from '../api/validation/check.ts';
import { problemsOf } from '../api/validation/check.ts';
import { jobShapeProblems } from '../api/validation/job.ts';
import { objectMeta } from '../api/validation/metadata.ts';
import { podTemplate } from '../api/validation/pod-template.ts';
import { validateClaimTemplate } from '../api/validation/resource-claims.ts';
import { object, required } from '../api/validation/shapes.ts';
import { validateWorkload } from '../api/validation/workloads.ts';
import type { ClusterManifest, OtherObject } from './cluster-manifest.ts';

/** Kinds that make pods, or claims for them, and that scheduling itself does not read. */
export const WORKLOAD_KINDS = {
  Deployment: { apiVersion: 'apps/v1', isNamespaced: true },
  DaemonSet: { apiVersion: 'apps/v1', isNamespaced: true },
  Job: { apiVersion: 'batch/v1', isNamespaced: true },
  CronJob: { apiVersion: 'batch/v1', isNamespaced: true },
  PodTemplate: { apiVersion: 'v1', isNamespaced: true },
  ResourceClaimTemplate: { apiVersion: 'resource.k8s.io/v1', isNamespaced: true },
} as const satisfies Readonly<Record<string, KindInfo>>;

type WorkloadKind = keyof typeof WORKLOAD_KINDS;

/** Kinds that make pods, and whose selectors scheduling reads as well. */
const SELECTING_KINDS = ['ReplicaSet', 'StatefulSet', 'ReplicationController'] as const;

/** An object that makes pods, or claims for them. */
export interface WorkloadManifest {
  readonly kind: WorkloadKind | (typeof SELECTING_KINDS)[number];
  readonly object: KubernetesObject;
}

/** A v1 PodTemplate. */
export interface PodTemplateObject extends KubernetesObject {
  readonly template?: PodTemplate | undefined;
}

/** The pods that workloads would make, and what these pods need. */
export interface Expansion {
  readonly pods: readonly Pod[];
  readonly others: readonly OtherObject[];
  /** The pods of the input that got claims, by those that they replace; absent: none. */
  readonly claimed?: ReadonlyMap<Pod, Pod>;
  /** Things that the owner of the input should know, one sentence each. */
  readonly notes: readonly string[];
}

export type Expand = (workloads: readonly WorkloadManifest[], cluster: Required<ClusterManifest>) => Expansion;

export function isWorkloadKind(kind: string): kind is WorkloadKind {
  return Object.hasOwn(WORKLOAD_KINDS, kind);
}

export function makesPods(kind: string): kind is WorkloadManifest['kind'] {
  return isWorkloadKind(kind) || (SELECTING_KINDS as readonly string[]).includes(kind);
}

const podTemplateObject = object({ metadata: objectMeta, template: required(podTemplate) });

/** The problems of an object of this kind; empty when pods can be made of it. */
export function validateWorkloadManifest(kind: WorkloadKind, value: UnknownObject): readonly Problem[] {
  if (kind === 'Job') return jobShapeProblems(value);
  if (kind === 'ResourceClaimTemplate') return validateClaimTemplate(value);
  return kind === 'PodTemplate' ? problemsOf(podTemplateObject, value) : validateWorkload(kind, value);
}

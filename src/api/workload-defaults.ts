/**
 * Defaults that the API server fills in for controllers of pods (pkg/apis/apps/v1/defaults.go,
 * pkg/apis/batch/v1/defaults.go). Nothing is mutated.
 */
import type { CronJob } from './cron-job.ts';
import type { DaemonSet } from './daemon-set.ts';
import type { Deployment } from './deployment.ts';
import { defaultJob } from './job-defaults.ts';
import type { KubernetesObject } from './meta.ts';
import { defaultPodTemplate, type PodTemplate } from './pod-template.ts';
import type { StatefulSet } from './stateful-set.ts';
import type { ReplicaSet } from './workloads.ts';

const DEFAULT_NAMESPACE = 'default';
const HISTORY_LIMIT = 10;

/** A ReplicaSet; one without a template consists only of a selector, and stays so. */
export function defaultReplicaSet(set: ReplicaSet): ReplicaSet {
  const { template } = set.spec ?? {};
  if (template === undefined) return set;
  return { ...set, spec: { ...set.spec, replicas: set.spec?.replicas ?? 1, template: defaultPodTemplate(template) } };
}

export function defaultDeployment(deployment: Deployment): Deployment {
  const { spec = {} } = deployment;
  const type = spec.strategy?.type || 'RollingUpdate';
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec.strategy?.rollingUpdate ?? {};
  return placed({
    ...deployment,
    spec: {
      ...spec,
      replicas: spec.replicas ?? 1,
      strategy: type === 'RollingUpdate' ? { type, rollingUpdate: { maxSurge, maxUnavailable } } : { type },
      revisionHistoryLimit: spec.revisionHistoryLimit ?? HISTORY_LIMIT,
      progressDeadlineSeconds: spec.progressDeadlineSeconds ?? 600,
      ...templateOf(spec.template),
    },
  });
}

/** A StatefulSet; one without a template consists only of a selector, and stays so. */
export function defaultStatefulSet(set: StatefulSet): StatefulSet {
  const { spec = {} } = set;
  if (spec.template === undefined) return set;
  const type = spec.updateStrategy?.type || 'RollingUpdate';
  const { partition = 0, ...limits } = spec.updateStrategy?.rollingUpdate ?? {};
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  return placed({
    ...set,
    spec: {
      ...spec,
      replicas: spec.replicas ?? 1,
      podManagementPolicy: spec.podManagementPolicy || 'OrderedReady',
      updateStrategy: type === 'RollingUpdate' ? { type, rollingUpdate: { partition, ...limits } } : { type },
      revisionHistoryLimit: spec.revisionHistoryLimit ?? HISTORY_LIMIT,
      persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
      ...templateOf(spec.template),
    },
  });
}

export function defaultDaemonSet(set: DaemonSet): DaemonSet {
  const { spec = {} } = set;
  const type = spec.updateStrategy?.type || 'RollingUpdate';
  const { maxSurge = 0, maxUnavailable = 1 } = spec.updateStrategy?.rollingUpdate ?? {};
  return placed({
    ...set,
    spec: {
      ...spec,
      updateStrategy: type === 'RollingUpdate' ? { type, rollingUpdate: { maxSurge, maxUnavailable } } : { type },
      revisionHistoryLimit: spec.revisionHistoryLimit ?? HISTORY_LIMIT,
      ...templateOf(spec.template),
    },
  });
}

export function defaultCronJob(cronJob: CronJob): CronJob {
  const { spec } = cronJob;
  if (spec === undefined) return placed(cronJob);
  const { jobTemplate = {} } = spec;
  return placed({
    ...cronJob,
    spec: {
      ...spec,
      concurrencyPolicy: spec.concurrencyPolicy || 'Allow',
      suspend: spec.suspend ?? false,
      successfulJobsHistoryLimit: spec.successfulJobsHistoryLimit ?? 3,
      failedJobsHistoryLimit: spec.failedJobsHistoryLimit ?? 1,
      jobTemplate: { ...jobTemplate, spec: defaultJob({ spec: jobTemplate.spec }).spec },
    },
  });
}

function templateOf(template: PodTemplate | undefined): { readonly template?: PodTemplate } {
  return template === undefined ? {} : { template: defaultPodTemplate(template) };
}

function placed<T extends KubernetesObject>(object: T): T {
  if (object.metadata?.namespace) return object;
  return { ...object, metadata: { ...object.metadata, namespace: DEFAULT_NAMESPACE } };
}

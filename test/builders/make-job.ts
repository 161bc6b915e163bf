import type { Job, JobSpec, JobStatus } from '../../src/api/job.ts';
import { defaultJob, prepareNewJob } from '../../src/api/job-defaults.ts';
import type { ObjectMeta } from '../../src/api/meta.ts';
import type { ContainerStatus, Pod, PodSpec, PodStatus } from '../../src/api/pod.ts';

export interface JobOptions extends JobSpec {
  readonly name?: string;
  readonly metadata?: ObjectMeta;
  readonly status?: JobStatus;
  /** Fields of the template's pod spec, beside its one container. */
  readonly podSpec?: PodSpec;
}

/** A Job as the user writes it: one container, `Never` restarted. */
export function submittedJob({ name = 'job', metadata, status: _, podSpec, ...spec }: JobOptions = {}): Job {
  const template = { spec: { containers: [{ name: 'main', image: 'app:1' }], restartPolicy: 'Never', ...podSpec } };
  return { metadata: { name, namespace: 'default', ...metadata }, spec: { template, ...spec } };
}

/** A Job as the API server stores it; its uid is `uid-` and its name. */
export function makeJob(options: JobOptions = {}): Job {
  const { metadata: { name = 'job', ...rest } = {}, ...job } = submittedJob(options);
  const metadata = { uid: `uid-${name}`, resourceVersion: '1', ...rest, name };
  const stored = prepareNewJob(defaultJob({ ...job, metadata }));
  return { ...stored, status: options.status ?? {} };
}

export interface JobPodOptions {
  readonly phase?: string;
  readonly index?: number | string;
  readonly isTracked?: boolean;
  readonly isReady?: boolean;
  readonly deletionTimestamp?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
  readonly status?: PodStatus;
}

const INDEX_KEY = 'batch.kubernetes.io/job-completion-index';

/** A pod of the Job: pending and tracked unless the options differ; its uid is `uid-` and its name. */
export function makeJobPod(job: Job, name: string, options: JobPodOptions = {}): Pod {
  const { phase = 'Pending', index, isTracked = true, isReady, deletionTimestamp, annotations } = options;
  const { name: owner = '', uid = '' } = job.metadata ?? {};
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: job.spec?.template?.metadata?.labels,
      annotations: { ...(index !== undefined && { [INDEX_KEY]: String(index) }), ...annotations },
      finalizers: isTracked ? ['batch.kubernetes.io/job-tracking'] : [],
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: owner, uid, controller: true }],
      deletionTimestamp,
      ...options.metadata,
    },
    spec: options.spec,
    status: {
      phase,
      ...(isReady !== undefined && { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] }),
      ...options.status,
    },
  };
}

/** A container that has ended, at a second of the first minute of 2026. */
export function ended(exitCode: number, second = 0, name = 'main'): ContainerStatus {
  return { name, state: { terminated: { exitCode, finishedAt: atSecond(second) } } };
}

export function atSecond(second: number): string {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString().replace('.000Z', 'Z');
}

import type { Job } from '../../api/job.ts';
import type { KubernetesObject, Labels } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { EventRecorder, EventType } from '../../client/events/event-recorder.ts';
import { objectKey } from '../../client/object-key.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { isNamespaceTerminating } from '../pod-creation.ts';
import { nameOf } from './pod-state.ts';
import { messageOf, SyncError } from './sync-error.ts';
import type { WrittenVersions } from './written-versions.ts';

/** A strategic merge patch of a pod's metadata: its owner references and finalizers. */
export interface PodMetadataPatch {
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The API as the Job controller uses it. Every call may throw an `ApiError`. */
export interface JobApi {
  /** Reads the current Job, past all caches. @throws ApiError NotFound */
  getJob(namespace: string, name: string): Job;
  /** Creates a pod with a generated name. Returns the stored pod. */
  createPod(pod: Pod): Pod;
  /** Deletes a pod with its own grace period. @throws ApiError NotFound */
  deletePod(namespace: string, name: string): void;
  /** @throws ApiError NotFound, Conflict */
  patchPod(namespace: string, name: string, patch: PodMetadataPatch): Pod;
  /** @throws ApiError NotFound, Conflict (the Job has changed since it was read), Invalid */
  updateJobStatus(job: Job): Job;
}

export function jobApi(client: StoreClient): JobApi {
  return {
    getJob: (namespace, name) => client.get('jobs', namespace, name),
    createPod: (pod) => client.create('pods', pod),
    deletePod: (namespace, name) => client.delete('pods', namespace, name),
    patchPod: (namespace, name, body) => client.patch('pods', namespace, name, { type: 'strategic', body }),
    updateJobStatus: (job) => client.updateStatus('jobs', job),
  };
}

export interface JobWritesModules {
  readonly api: JobApi;
  readonly recorder: EventRecorder;
  /** The written versions; if undefined, it is not checked whether the caches show them. */
  readonly writtenVersions: WrittenVersions | undefined;
}

/**
 * Makes the writes of a Job: records events for users, and the versions that the caches must show before the next sync.
 * Upstream: RealPodControl in pkg/controller/controller_utils.go.
 */
export class JobWrites {
  readonly #modules: JobWritesModules;

  constructor(modules: JobWritesModules) {
    this.#modules = modules;
  }

  /** @throws ApiError, SyncError when the pod has no labels, since no selector would find it */
  createPod(job: Job, pod: Pod): void {
    if (isEmpty(pod.metadata?.labels)) throw new SyncError('unable to create pods, no labels');
    let created: Pod;
    try {
      created = this.#modules.api.createPod(pod);
    } catch (error) {
      if (!isNamespaceTerminating(error)) {
        this.event(job, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      }
      throw error;
    }
    this.#wrote(job, 'pods', created);
    this.event(job, 'Normal', 'SuccessfulCreate', `Created pod: ${nameOf(created)}`);
  }

  /** @throws ApiError NotFound, SyncError */
  deletePod(job: Job, pod: Pod): void {
    try {
      this.#modules.api.deletePod(job.metadata?.namespace ?? '', nameOf(pod));
    } catch (error) {
      if (isApiError(error, 'NotFound')) throw error;
      this.event(job, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw new SyncError(`unable to delete pods: ${messageOf(error)}`, error);
    }
    this.event(job, 'Normal', 'SuccessfulDelete', `Deleted pod: ${nameOf(pod)}`);
  }

  /** @throws ApiError */
  patchPod(job: Job, pod: Pod, patch: PodMetadataPatch): void {
    this.#wrote(job, 'pods', this.#modules.api.patchPod(pod.metadata?.namespace ?? '', nameOf(pod), patch));
  }

  /** Writes the status and returns the stored Job. @throws ApiError */
  updateStatus(job: Job): Job {
    const updated = this.#modules.api.updateJobStatus(job);
    this.#wrote(job, 'jobs', updated);
    return updated;
  }

  event(job: Job, type: EventType, reason: string, message: string): void {
    const subject = { apiVersion: 'batch/v1', kind: 'Job', metadata: job.metadata };
    this.#modules.recorder.event(subject, type, reason, message);
  }

  #wrote(job: Job, resource: 'pods' | 'jobs', written: KubernetesObject): void {
    const { uid = '' } = job.metadata ?? {};
    this.#modules.writtenVersions?.wrote(objectKey(job), uid, resource, written.metadata?.resourceVersion);
  }
}

function isEmpty(labels: Labels | undefined): boolean {
  for (const _ in labels) return false;
  return true;
}

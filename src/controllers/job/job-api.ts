import type { Job } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';

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

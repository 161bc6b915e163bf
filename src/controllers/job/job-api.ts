import type { Job } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';

/** A strategic merge patch of a pod's metadata: who controls it, and whether it is still to be counted. */
export interface PodMetadataPatch {
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What the Job controller asks of the API. Every call may throw an `ApiError`. */
export interface JobApi {
  /** As it is now, past every cache. @throws ApiError NotFound */
  getJob(namespace: string, name: string): Job;
  /** The pod has no name but a beginning of one. Returns it as it is stored. */
  createPod(pod: Pod): Pod;
  /** With the pod's own grace period. @throws ApiError NotFound */
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

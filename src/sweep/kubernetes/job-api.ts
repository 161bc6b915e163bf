import type { Job } from '../../api/job.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';

/** What is heard of a Job and its pods. */
export type JobChange =
  | { readonly what: 'pod'; readonly pod: Pod; readonly isGone: boolean }
  | { readonly what: 'job'; readonly job: Job; readonly isGone: boolean };

/** An event of a cluster that warns. */
export interface JobWarning {
  readonly reason: string;
  readonly message: string;
}

/** What a cluster does for a sweep; calls reject with the words of the API. */
export interface JobApi {
  /** The Job of a sweep that is there already. */
  find(): Promise<Job | undefined>;
  create(objects: readonly KubernetesObject[]): Promise<void>;
  /** Reports what is there, and every change; a connection that breaks is made again. Returns what ends it. */
  watch(onChange: (change: JobChange) => void, onError: (message: string) => void): () => void;
  /** The warnings about the Job. */
  warnings(): Promise<readonly JobWarning[]>;
  /** Everything that the pod's container has written. */
  log(podName: string): Promise<string>;
  /** Removes the Job, its pods, and the plan. */
  remove(): Promise<void>;
}

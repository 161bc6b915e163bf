import { CodedError } from '../../lib/errors.ts';

export type RuntimeContainerState = 'created' | 'running' | 'exited' | 'unknown';

/** One container, or one sandbox (the container that holds a pod's namespaces), as a listing shows it. */
export interface RuntimeContainer {
  readonly id: string;
  readonly state: RuntimeContainerState;
}

/** A pod as the runtime lists it: cheap to get, just enough to see that something changed. */
export interface RuntimePod {
  readonly uid: string;
  readonly containers: readonly RuntimeContainer[];
  readonly sandboxes: readonly RuntimeContainer[];
  /** When the runtime was asked. */
  readonly listedAtMillis: number;
}

/** Everything that the runtime knows of one container. */
export interface RuntimeContainerStatus extends RuntimeContainer {
  /** As in the pod's spec. */
  readonly name: string;
  readonly image: string;
  /** The sandbox that it was made in. */
  readonly sandboxId: string;
  /** How many containers of this name the pod had before. */
  readonly restartCount: number;
  /** undefined while it has not come so far. */
  readonly startedAtMillis?: number | undefined;
  readonly finishedAtMillis?: number | undefined;
  readonly exitCode?: number | undefined;
  /** Why it ended, in one word: `Completed`, `Error`, `OOMKilled`. */
  readonly reason?: string | undefined;
  /** When its startup probe passes; until then it counts as not started. */
  readonly startupPassesAtMillis?: number | undefined;
  /** When its readiness probe passes. */
  readonly readinessPassesAtMillis?: number | undefined;
}

/** Everything that the runtime knows of a pod: expensive, so it is asked for only when something changed. */
export interface RuntimePodStatus {
  readonly uid: string;
  /** Empty while the runtime has not shown the pod. */
  readonly name: string;
  readonly ips: readonly string[];
  /** In the order in which they were made. */
  readonly containerStatuses: readonly RuntimeContainerStatus[];
  readonly sandboxStatuses: readonly { readonly id: string; readonly state: 'ready' | 'notready' }[];
}

/** The container runtime did not do what it was asked; the kubelet asks again later. */
export class RuntimeError extends CodedError<'RuntimeFailed'> {
  constructor(message: string) {
    super('RuntimeFailed', message);
  }
}

/** What the generic PLEG asks of the container runtime. Upstream: pkg/kubelet/container/runtime.go. */
export interface Runtime {
  /** Every pod, exited ones too. @throws RuntimeError */
  listPods(): readonly RuntimePod[];
  /** undefined: the runtime does not show this pod. @throws RuntimeError */
  getPod(uid: string): RuntimePod | undefined;
  /** @throws RuntimeError */
  getPodStatus(pod: RuntimePod): RuntimePodStatus;
}

/** What a call of the runtime gave, or the error with which it failed. */
export type RuntimeAnswer<T> = { readonly value: T } | { readonly error: RuntimeError };

/** Makes a failure of the runtime a value; everything else that is thrown is not the runtime's to throw. */
export function askRuntime<T>(ask: () => T): RuntimeAnswer<T> {
  try {
    return { value: ask() };
  } catch (error) {
    if (error instanceof RuntimeError) return { error };
    throw error;
  }
}

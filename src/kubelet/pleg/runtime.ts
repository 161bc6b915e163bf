import { CodedError } from '../../lib/errors.ts';

/** The state of a container in its runtime. */
export type RuntimeContainerState = 'created' | 'running' | 'exited' | 'unknown';

/** A container, or a sandbox (the container that holds a pod's namespaces), as a listing shows it. */
export interface RuntimeContainer {
  readonly id: string;
  readonly state: RuntimeContainerState;
}

/** A pod as the runtime lists it: cheap to get, and just enough to see that something changed. */
export interface RuntimePod {
  readonly uid: string;
  readonly containers: readonly RuntimeContainer[];
  readonly sandboxes: readonly RuntimeContainer[];
  /** When the runtime was asked. */
  readonly listedAtMillis: number;
}

/** Everything that the runtime knows of a container. */
export interface RuntimeContainerStatus extends RuntimeContainer {
  /** The container's name in the pod's spec. */
  readonly name: string;
  readonly image: string;
  /** The sandbox that the container was made in. */
  readonly sandboxId: string;
  /** How many containers of this name the pod had before. */
  readonly restartCount: number;
  /** The time of the start; undefined before it. */
  readonly startedAtMillis?: number | undefined;
  readonly finishedAtMillis?: number | undefined;
  readonly exitCode?: number | undefined;
  /** The reason of the end, in one word: `Completed`, `Error`, `OOMKilled`. */
  readonly reason?: string | undefined;
  /** When the startup probe passes; until then the container counts as not started. */
  readonly startupPassesAtMillis?: number | undefined;
  /** When the readiness probe passes. */
  readonly readinessPassesAtMillis?: number | undefined;
}

/** Everything that the runtime knows of a pod. It is expensive, so it is fetched only when something changed. */
export interface RuntimePodStatus {
  readonly uid: string;
  /** Empty while the runtime does not list the pod. */
  readonly name: string;
  readonly ips: readonly string[];
  /** The order is that in which they were made. */
  readonly containerStatuses: readonly RuntimeContainerStatus[];
  readonly sandboxStatuses: readonly { readonly id: string; readonly state: 'ready' | 'notready' }[];
}

/** The container runtime failed to answer; the kubelet asks again later. */
export class RuntimeError extends CodedError<'RuntimeFailed'> {
  constructor(message: string) {
    super('RuntimeFailed', message);
  }
}

/** The runtime as the generic PLEG uses it. Upstream: pkg/kubelet/container/runtime.go. */
export interface Runtime {
  /** Lists every pod, exited ones too. @throws RuntimeError */
  listPods(): readonly RuntimePod[];
  /** Returns the pod, or undefined if the runtime does not list it. @throws RuntimeError */
  getPod(uid: string): RuntimePod | undefined;
  /** @throws RuntimeError */
  getPodStatus(pod: RuntimePod): RuntimePodStatus;
}

/** The result of a call of the runtime, or the error with which it failed. */
export type RuntimeAnswer<T> = { readonly value: T } | { readonly error: RuntimeError };

/** Turns a failure of the runtime into a value. Any other error is a mistake of our own, and is thrown on. */
export function askRuntime<T>(ask: () => T): RuntimeAnswer<T> {
  try {
    return { value: ask() };
  } catch (error) {
    if (error instanceof RuntimeError) return { error };
    throw error;
  }
}

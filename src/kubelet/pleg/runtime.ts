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

/** Everything that the runtime knows of a pod: expensive, so it is asked for only when something changed. */
export interface RuntimePodStatus {
  readonly uid: string;
  /** Empty while the runtime has not shown the pod. */
  readonly name: string;
  readonly ips: readonly string[];
  readonly containerStatuses: readonly RuntimeContainer[];
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

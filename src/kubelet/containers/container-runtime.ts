import type { Container, Pod } from '../../api/pod.ts';
import type { Runtime } from '../pleg/runtime.ts';

/** Why the runtime did not do something, in the words of a container's waiting state. */
export interface RuntimeFailure {
  /** One word: `ErrImagePull`, `RunContainerError`. */
  readonly reason: string;
  readonly message: string;
}

/** Called once; with a failure when it was not done. */
export type OnDone = (failure?: RuntimeFailure) => void;

/** Something that the runtime is doing. */
export interface Operation {
  /** `onDone` is not called any more. What has begun already may go on. */
  cancel(): void;
}

/**
 * What the kubelet asks of the container runtime, beside what the PLEG does. Orders take time: they return at once, and
 * say later that they are done, or right away when they take none.
 *
 * Upstream: pkg/kubelet/container/runtime.go and the CRI.
 */
export interface ContainerRuntime extends Runtime {
  /** Makes the sandbox that holds the pod's namespaces; `attempt`: how many it had before. */
  createSandbox(pod: Pod, attempt: number, onDone: OnDone): Operation;
  /** An image that is there is not pulled again. */
  pullImage(pod: Pod, container: Container, onDone: OnDone): Operation;
  startContainer(pod: Pod, container: Container, restartCount: number, onDone: OnDone): Operation;
  /**
   * Tells the container to end, and kills it after the grace period; done when it has ended. Told again, the shorter
   * grace counts.
   */
  stopContainer(containerId: string, graceMillis: number, onDone: OnDone): Operation;
  stopSandboxes(podUid: string): void;
  /** Forgets a container that has ended. */
  removeContainer(containerId: string): void;
  /** Forgets a pod and all its containers, which have ended. */
  removePod(podUid: string): void;
}

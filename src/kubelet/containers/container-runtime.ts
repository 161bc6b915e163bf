import { type Container, isSidecar, type Pod } from '../../api/pod.ts';
import type { Runtime, RuntimeContainerStatus } from '../pleg/runtime.ts';

/** The reason why the runtime did not carry out an order, in the form of a container's waiting state. */
export interface RuntimeFailure {
  /** A reason in one word: `ErrImagePull`, `RunContainerError`. */
  readonly reason: string;
  readonly message: string;
}

/** Called once, when the order was carried out or has failed. */
export type OnDone = (failure?: RuntimeFailure) => void;

/** An order that the runtime is carrying out. */
export interface Operation {
  /** Suppresses the call of `onDone`. What has begun already may go on. */
  cancel(): void;
}

/**
 * The container runtime as the kubelet uses it, besides the calls of the PLEG. Orders take time: the call returns at
 * once and `onDone` follows later, or before the call returns when the order takes no time.
 *
 * Upstream: pkg/kubelet/container/runtime.go and the CRI.
 */
export interface ContainerRuntime extends Runtime {
  /** Makes the sandbox that holds the pod's namespaces; `attempt`: how many sandboxes the pod had before. */
  createSandbox(pod: Pod, attempt: number, onDone: OnDone): Operation;
  /** Pulls the container's image, unless the node has it already. */
  pullImage(pod: Pod, container: Container, onDone: OnDone): Operation;
  startContainer(pod: Pod, container: Container, restartCount: number, onDone: OnDone): Operation;
  /**
   * Asks the container to end, and kills it after the grace period; the order is done when the container has ended. If
   * it was stopped before, the shorter grace period counts.
   */
  stopContainer(containerId: string, graceMillis: number, onDone: OnDone): Operation;
  stopSandboxes(podUid: string): void;
  /** Removes a container that has ended. */
  removeContainer(containerId: string): void;
  /** Removes a pod and all its containers, which have ended. */
  removePod(podUid: string): void;
}

/**
 * Whether a container that is not running is to be started, for the first time (`latest` undefined) or again.
 * Upstream: ShouldContainerBeRestarted in pkg/kubelet/container/helpers.go.
 */
export function shouldRestart(
  { metadata, spec }: Pod,
  container: Container,
  latest: Pick<RuntimeContainerStatus, 'state' | 'exitCode'> | undefined,
): boolean {
  if (metadata?.deletionTimestamp !== undefined) return false;
  if (latest === undefined) return true;
  if (latest.state === 'running') return false;
  if (latest.state !== 'exited') return true;
  if (isSidecar(container)) return true;
  const policy = container.restartPolicy || spec?.restartPolicy || 'Always';
  if (policy === 'Never') return false;
  return policy === 'Always' || latest.exitCode !== 0;
}

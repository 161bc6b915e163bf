import {
  type Runtime,
  type RuntimeContainer,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
} from '../../src/kubelet/pleg/runtime.ts';
import type { Clock } from '../../src/lib/clock.ts';

/** A pod in short; containers and sandboxes are `id=state`. */
export interface FakeRuntimePod {
  readonly id: string;
  readonly containers?: readonly string[];
  readonly sandboxes?: readonly string[];
  readonly ips?: readonly string[];
  readonly statusError?: string;
}

/** A container runtime that shows the pods of `pods`, and fails with the errors that are set. */
export class FakeRuntime implements Runtime {
  readonly #clock: Clock;
  pods: readonly FakeRuntimePod[] = [];
  /** Empty: no error. */
  listError = '';
  getPodError = '';
  /** The pods whose status was asked for. */
  readonly statusCalls: string[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  listPods(): readonly RuntimePod[] {
    if (this.listError !== '') throw new RuntimeError(this.listError);
    return this.pods.map((pod) => this.#listed(pod));
  }

  getPod(uid: string): RuntimePod | undefined {
    if (this.getPodError !== '') throw new RuntimeError(this.getPodError);
    const pod = this.pods.find(({ id }) => id === uid);
    return pod && this.#listed(pod);
  }

  getPodStatus({ uid }: RuntimePod): RuntimePodStatus {
    this.statusCalls.push(uid);
    const pod = this.pods.find(({ id }) => id === uid);
    if (pod === undefined) throw new RuntimeError(`pod ${uid} not found`);
    if (pod.statusError !== undefined && pod.statusError !== '') throw new RuntimeError(pod.statusError);
    return {
      uid,
      name: `pod-${uid}`,
      ips: pod.ips ?? [],
      containerStatuses: parsed(pod.containers).map((each) => ({
        ...each,
        name: each.id,
        image: '',
        sandboxId: '',
        restartCount: 0,
      })),
      sandboxStatuses: parsed(pod.sandboxes).map(({ id, state }) => ({
        id,
        state: state === 'running' ? 'ready' : 'notready',
      })),
    };
  }

  #listed({ id, containers, sandboxes }: FakeRuntimePod): RuntimePod {
    const listedAtMillis = this.#clock.nowMillis();
    return { uid: id, containers: parsed(containers), sandboxes: parsed(sandboxes), listedAtMillis };
  }
}

function parsed(containers: readonly string[] = []): RuntimeContainer[] {
  return containers.map((text) => {
    const [id = '', state = ''] = text.split('=');
    return { id, state: state as RuntimeContainer['state'] };
  });
}

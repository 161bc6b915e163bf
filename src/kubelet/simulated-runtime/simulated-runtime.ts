import type { Container, Pod } from '../../api/pod.ts';
import { parseQuantity } from '../../api/quantity.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { SmallMap } from '../../lib/small-map.ts';
import type { ContainerRuntime, OnDone, Operation, RuntimeFailure } from '../containers/container-runtime.ts';
import type { DriverFaults } from '../dynamic-resources/claim-manager.ts';
import {
  type RuntimeContainer,
  type RuntimeContainerStatus,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
} from '../pleg/runtime.ts';
import { BehaviourError, type Behaviours, type ContainerBehaviour } from './behaviour.ts';
import { ImagePuller } from './image-puller.ts';
import { SimulatedContainer } from './simulated-container.ts';

export interface SimulatedRuntimeModules {
  readonly loop: EventLoop;
  readonly behaviours: Behaviours;
  /** Returns the address of the next sandbox. */
  readonly newIp: () => string;
}

/** The faults of a runtime, and of the drivers beside it; an absent or empty member stands for no fault. */
export interface RuntimeFaults extends DriverFaults {
  /** Listing all pods fails with this message. */
  readonly listError?: string | undefined;
  /** Listing all pods takes this long. */
  readonly listMillis?: number | undefined;
  /** Getting one pod, or its status, fails with this message. */
  readonly statusError?: string | undefined;
  readonly sandboxError?: string | undefined;
  readonly pullError?: string | undefined;
  readonly startError?: string | undefined;
}

interface SimulatedPod {
  readonly uid: string;
  readonly name: string;
  sandboxes: readonly (RuntimeContainer & { readonly ip: string })[];
  containers: readonly SimulatedContainer[];
  /** The statuses of the containers, which are also their listing; undefined when one changed since they were made. */
  containerStatuses: readonly RuntimeContainerStatus[] | undefined;
  /** The pod's status; undefined likewise. */
  status: RuntimePodStatus | undefined;
}

const NOTHING: Operation = { cancel: () => {} };

/** The container runtime of one node. It runs nothing, and takes as long as the behaviour of the containers says. */
export class SimulatedRuntime implements ContainerRuntime {
  readonly #modules: SimulatedRuntimeModules;
  readonly #images: ImagePuller;
  readonly #pods = new SmallMap<string, SimulatedPod>();
  #faults: RuntimeFaults = {};
  /** Counts crashes, so that orders from before a crash are dropped. */
  #life = 0;
  /** Called when the listing of a pod may have changed; without a uid, that of any pod. */
  onChange: (podUid?: string) => void = () => {};

  constructor(modules: SimulatedRuntimeModules) {
    this.#modules = modules;
    this.#images = new ImagePuller(modules.loop);
  }

  get faults(): RuntimeFaults {
    return this.#faults;
  }

  set faults(faults: RuntimeFaults) {
    this.#faults = faults;
    this.onChange();
  }

  /** Whether nothing of any pod is there. */
  get isEmpty(): boolean {
    return this.#pods.size === 0;
  }

  listPods(): readonly RuntimePod[] {
    failIf(this.#faults.listError);
    const listed: RuntimePod[] = [];
    for (const pod of this.#pods.values()) listed.push(this.#list(pod));
    return listed;
  }

  getPod(uid: string): RuntimePod | undefined {
    failIf(this.#faults.statusError);
    const pod = this.#pods.get(uid);
    return pod && this.#list(pod);
  }

  getPodStatus({ uid }: RuntimePod): RuntimePodStatus {
    failIf(this.#faults.statusError);
    const pod = this.#pods.get(uid);
    if (pod === undefined) throw new RuntimeError(`pod ${uid} not found`);
    pod.status ??= statusOf(pod);
    return pod.status;
  }

  createSandbox({ metadata }: Pod, attempt: number, onDone: OnDone): Operation {
    const { uid = '', name = '' } = metadata ?? {};
    const { sandboxError } = this.#faults;
    if (sandboxError) return failed(onDone, 'CreatePodSandboxError', sandboxError);
    const pod = this.#podOf(uid, name);
    const sandbox: SimulatedPod['sandboxes'][number] = {
      id: `${uid}/${attempt}`,
      state: 'running',
      ip: this.#modules.newIp(),
    };
    pod.sandboxes = pod.sandboxes.length === 0 ? [sandbox] : [sandbox, ...pod.sandboxes];
    this.#changed(pod);
    onDone();
    return NOTHING;
  }

  pullImage(pod: Pod, container: Container, onDone: OnDone): Operation {
    const image = container.image ?? '';
    const { pullError } = this.#faults;
    if (pullError && !this.#images.has(image)) return failed(onDone, 'ErrImagePull', pullError);
    try {
      return this.#images.pull(image, this.#modules.behaviours.pullMillis(pod, container), onDone);
    } catch (error) {
      return refused(error, onDone);
    }
  }

  startContainer(pod: Pod, container: Container, restartCount: number, onDone: OnDone): Operation {
    const { behaviours, loop } = this.#modules;
    const { startError } = this.#faults;
    if (startError) return failed(onDone, 'RunContainerError', startError);
    const { uid = '', name: podName = '' } = pod.metadata ?? {};
    try {
      const behaviour = behaviours.of(pod, container, restartCount);
      const life = this.#life;
      const start = (): void => {
        if (life !== this.#life) return;
        this.#addContainer(this.#podOf(uid, podName), container, restartCount, behaviour);
        onDone();
      };
      if (behaviour.startMillis > 0) return loop.after(behaviour.startMillis, start);
      start();
      return NOTHING;
    } catch (error) {
      return refused(error, onDone);
    }
  }

  /**
   * Adds a container in a function of its own, since the closures of a container keep their scope alive as long as the
   * container.
   */
  #addContainer(pod: SimulatedPod, container: Container, restartCount: number, behaviour: ContainerBehaviour): void {
    const { loop } = this.#modules;
    const { name = '', image = '' } = container;
    const id = `${pod.uid}/${name}/${restartCount}`;
    const onExit = (): void => this.#containersChanged(pod);
    const memoryLimitBytes = memoryLimitOf(container);
    const sandboxId = pod.sandboxes[0]?.id ?? '';
    const options = { id, name, image, sandboxId, restartCount, memoryLimitBytes, behaviour, loop, onExit };
    const added = new SimulatedContainer(options);
    pod.containers = pod.containers.length === 0 ? [added] : pod.containers.concat(added);
    this.#containersChanged(pod);
  }

  stopContainer(containerId: string, graceMillis: number, onDone: OnDone): Operation {
    let isCancelled = false;
    const onExit = (): void => {
      if (!isCancelled) onDone();
    };
    const container = this.#containerOf(containerId)?.container;
    if (container === undefined) onExit();
    else container.stop(graceMillis, onExit);
    return {
      cancel: () => {
        isCancelled = true;
      },
    };
  }

  stopSandboxes(podUid: string): void {
    const pod = this.#pods.get(podUid);
    if (pod === undefined || pod.sandboxes.every(({ state }) => state === 'exited')) return;
    pod.sandboxes = pod.sandboxes.map(({ id, ip }) => ({ id, state: 'exited', ip }));
    this.#changed(pod);
  }

  removeContainer(containerId: string): void {
    const found = this.#containerOf(containerId);
    if (found === undefined || found.container.isRunning) return;
    found.pod.containers = found.pod.containers.filter((other) => other !== found.container);
    this.#containersChanged(found.pod);
  }

  removePod(podUid: string): void {
    if (this.#pods.delete(podUid)) this.onChange(podUid);
  }

  /** Takes the node down: nothing runs any more, and pending orders are dropped. */
  crash(): void {
    this.#life++;
    this.#images.reset();
    for (const pod of this.#pods.values()) {
      for (const container of pod.containers) container.crash();
      pod.containerStatuses = undefined;
      pod.status = undefined;
      this.stopSandboxes(pod.uid);
    }
    this.onChange();
  }

  #podOf(uid: string, name: string): SimulatedPod {
    const newPod = () => ({
      uid,
      name,
      sandboxes: [],
      containers: [],
      containerStatuses: undefined,
      status: undefined,
    });
    return getOrMake(this.#pods, uid, newPod);
  }

  /** The pod and container of a container id, which begins with the pod's uid and a slash. */
  #containerOf(id: string): { readonly pod: SimulatedPod; readonly container: SimulatedContainer } | undefined {
    const pod = this.#pods.get(id.slice(0, id.indexOf('/')));
    const container = pod?.containers.find((each) => each.id === id);
    return pod === undefined || container === undefined ? undefined : { pod, container };
  }

  #list(pod: SimulatedPod): RuntimePod {
    const { uid, sandboxes } = pod;
    return { uid, containers: containersOf(pod), sandboxes, listedAtMillis: this.#modules.loop.nowMillis() };
  }

  #containersChanged(pod: SimulatedPod): void {
    pod.containerStatuses = undefined;
    this.#changed(pod);
  }

  #changed(pod: SimulatedPod): void {
    pod.status = undefined;
    this.onChange(pod.uid);
  }
}

function containersOf(pod: SimulatedPod): readonly RuntimeContainerStatus[] {
  pod.containerStatuses ??= pod.containers.map((container) => container.status());
  return pod.containerStatuses;
}

const NO_IPS: readonly string[] = [];

function statusOf(pod: SimulatedPod): RuntimePodStatus {
  const { uid, name, sandboxes } = pod;
  // A list that grew would keep room for sixteen more, as long as the pod is there.
  let ips = NO_IPS;
  for (const { state, ip } of sandboxes) if (state === 'running') ips = ips.length === 0 ? [ip] : ips.concat(ip);
  return {
    uid,
    name,
    ips,
    containerStatuses: containersOf(pod),
    sandboxStatuses: sandboxes.map(({ id, state }) => ({ id, state: state === 'running' ? 'ready' : 'notready' })),
  };
}

function memoryLimitOf({ resources }: Container): number | undefined {
  const limit = resources?.limits?.['memory'];
  return limit === undefined ? undefined : Number(parseQuantity(limit).value);
}

function failIf(message: string | undefined): void {
  if (message) throw new RuntimeError(message);
}

function failed(onDone: OnDone, reason: RuntimeFailure['reason'], message: string): Operation {
  onDone({ reason, message });
  return NOTHING;
}

function refused(error: unknown, onDone: OnDone): Operation {
  if (!(error instanceof BehaviourError)) throw error;
  return failed(onDone, 'CreateContainerConfigError', error.message);
}

import { type Container, isSidecar } from '../../../api/pod.ts';
import type { ResourceClaimSpec } from '../../../api/resource-claims.ts';
import { isDeviceResourceName, type Resources } from '../../../api/resources.ts';
import type { PodInfo } from '../../../framework/pod-info.ts';
import { getOrMake } from '../../../lib/get-or-make.ts';
import { type ContainerRequests, containerRequests } from './container-requests.ts';

/** An extended resource that a pod requests. */
interface Wanted {
  readonly resource: string;
  /** The name of the class whose devices back it; null if none do. */
  readonly deviceClassName: string | null;
}

/** What a claim for the resources asks for, and which containers get it. */
export interface AskedOfDevices {
  readonly spec: ResourceClaimSpec;
  readonly mappings: ContainerRequests['mappings'];
}

/** What a pod asks of devices and nodes by its extended resources. Pods with one spec share it. */
export class ExtendedAsk {
  /** All of the pod on which this depends beside the classes. */
  readonly key: string;
  readonly requirements: PodInfo['requirements'];
  readonly #wanted: readonly Wanted[];
  readonly #pod: PodInfo['pod'];
  /** The requests for devices, by the resources that a node leaves to them. */
  readonly #requests = new Map<string, AskedOfDevices>();

  /** `classOf`: the name of the class whose devices back a resource. */
  constructor({ pod, requirements }: PodInfo, classOf: (resource: string) => string | null) {
    this.#pod = pod;
    this.requirements = requirements;
    const { scalar } = requirements.requests;
    const { initContainers, containers } = pod.spec ?? {};
    const names = [...scalar].flatMap(([name, amount]) => (amount === 0 ? [] : name));
    this.key = JSON.stringify([resourcesOf(initContainers), resourcesOf(containers), names]);
    this.#wanted = names
      .filter(isDeviceResourceName)
      .map((resource) => ({ resource, deviceClassName: classOf(resource) }));
  }

  /** The resources that a node leaves to devices, as a key; '' for none, null if it lacks others that are requested. */
  leftToDevices({ scalar }: Resources): string | null {
    let left = '';
    for (let i = 0; i < this.#wanted.length; i++) {
      const { resource, deviceClassName } = this.#wanted[i] as Wanted;
      if (deviceClassName !== null && !scalar.get(resource)) left = left === '' ? resource : `${left},${resource}`;
      else if (!scalar.has(resource)) return null;
    }
    return left;
  }

  /** What is asked on nodes with these resources; `left`: what `leftToDevices` says of them. */
  requestsFor(left: string, { scalar }: Resources): AskedOfDevices {
    return getOrMake(this.#requests, left, () => {
      const classes = new Map<string, string>();
      for (const { resource, deviceClassName } of this.#wanted) {
        if (deviceClassName !== null && !scalar.get(resource)) classes.set(resource, deviceClassName);
      }
      const { requests, mappings } = containerRequests(this.#pod, classes);
      return { spec: { devices: requests.length === 0 ? {} : { requests } }, mappings };
    });
  }
}

function resourcesOf(containers: readonly Container[] = []): unknown {
  return containers.map((container) => [isSidecar(container), container.resources?.requests]);
}

import { JOB_TRACKING_FINALIZER, type Job } from '../../src/api/job.ts';
import type { KubernetesObject, OwnerReference } from '../../src/api/meta.ts';
import type { Node } from '../../src/api/node.ts';
import type { Pod } from '../../src/api/pod.ts';
import { isPodFinished } from '../../src/api/pod-conditions.ts';
import type { Store } from '../../src/store/store.ts';

interface Mirrored {
  pods: Pod;
  nodes: Node;
  jobs: Job;
}

/** A callback for every write, in the middle of it; `before` is undefined for a new object, `after` for a gone one. */
export type OnWrite<T> = (before: T | undefined, after: T | undefined) => void;

/** What the store holds, known from its watches alone, write by write. */
export class Mirror {
  /** All objects are kept by uid. */
  readonly pods = new Map<string, Pod>();
  readonly nodes = new Map<string, Node>();
  readonly jobs = new Map<string, Job>();
  /** The uids of all pods that there ever were. */
  readonly podUids = new Set<string>();
  /** The version of the last write to each resource. */
  readonly versions = { pods: 0, nodes: 0, jobs: 0 };
  readonly #onWrite: { readonly [R in keyof Mirrored]: OnWrite<Mirrored[R]>[] } = { pods: [], nodes: [], jobs: [] };
  #writes = 0;
  #lastPod: Pod | undefined;

  constructor(store: Store) {
    this.onPod((before, after) => {
      this.#lastPod = after ?? before;
      if (before === undefined && after !== undefined) this.podUids.add(uidOf(after));
    });
    this.#follow(store, 'pods', this.pods);
    this.#follow(store, 'nodes', this.nodes);
    this.#follow(store, 'jobs', this.jobs);
  }

  /** The number of writes so far. */
  get writes(): number {
    return this.#writes;
  }

  /** The one that was written last. */
  get lastPod(): Pod | undefined {
    return this.#lastPod;
  }

  onPod(listener: OnWrite<Pod>): void {
    this.#onWrite.pods.push(listener);
  }

  onJob(listener: OnWrite<Job>): void {
    this.#onWrite.jobs.push(listener);
  }

  podNamed(namespace: string, name: string): Pod | undefined {
    for (const pod of this.pods.values()) {
      if (pod.metadata?.name === name && pod.metadata.namespace === namespace) return pod;
    }
    return undefined;
  }

  #follow<R extends keyof Mirrored>(store: Store, resource: R, objects: Map<string, Mirrored[R]>): void {
    const { resourceVersion } = store.list(resource);
    const watch = store.watch(resource, { resourceVersion });
    watch.onReady(() => {
      for (let event = watch.next(); event !== undefined; event = watch.next()) {
        if (!('object' in event)) continue;
        const object = event.object as Mirrored[R];
        const uid = uidOf(object);
        const before = objects.get(uid);
        if (event.type === 'DELETED') objects.delete(uid);
        else objects.set(uid, object);
        this.#writes++;
        this.versions[resource] = Number(object.metadata?.resourceVersion);
        for (const listener of this.#onWrite[resource]) {
          listener(before, event.type === 'DELETED' ? undefined : object);
        }
      }
    });
  }
}

export function uidOf({ metadata }: KubernetesObject): string {
  return metadata?.uid ?? '';
}

export function nameOf({ metadata }: KubernetesObject): string {
  return metadata?.name ?? '';
}

export function controllerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  return metadata?.ownerReferences?.find(({ controller }) => controller);
}

export function isTracked({ metadata }: Pod): boolean {
  return metadata?.finalizers?.includes(JOB_TRACKING_FINALIZER) ?? false;
}

export function isDeleting({ metadata }: KubernetesObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

/** Whether a Job counts the pod as active. */
export function isActive(pod: Pod): boolean {
  return !isPodFinished(pod) && !isDeleting(pod);
}

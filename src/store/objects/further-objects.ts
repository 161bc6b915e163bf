import type { KubernetesObject } from '../../api/meta.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import type { DeleteOptions, Patch } from './store-client.ts';

export interface FurtherResource {
  /** The name by which the other methods know it. */
  readonly resource: string;
  readonly isNamespaced: boolean;
}

/** A subscriber hears of each object that is there, and of each change from then on. */
export interface FurtherObserver {
  observe(resource: string, object: KubernetesObject): void;
  remove(object: KubernetesObject): void;
}

/**
 * Objects of which the store itself knows nothing, such as config maps and custom resources, which an API server keeps
 * besides. Controllers that are about objects of all kinds see them by this.
 */
export interface FurtherObjects {
  /** The resource of a kind; undefined for one that is not served. */
  resourceOf(apiVersion: string, kind: string): FurtherResource | undefined;
  /** @throws ApiError NotFound */
  get(resource: string, namespace: string, name: string): KubernetesObject;
  /** Changes the metadata of an object. @throws ApiError NotFound, Conflict */
  patchMetadata(resource: string, namespace: string, name: string, patch: Patch): KubernetesObject;
  /** @throws ApiError NotFound, Conflict (of preconditions) */
  delete(resource: string, namespace: string, name: string, options: DeleteOptions): void;
  /** Returns what ends it. */
  follow(loop: EventLoop, observer: FurtherObserver): () => void;
}

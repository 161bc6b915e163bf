import type { KubernetesObject, OwnerReference } from '../../api/meta.ts';
import type { FurtherObjects, FurtherResource } from '../../store/objects/further-objects.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';
import type { DeleteOptions, Patch, StoreClient } from '../../store/objects/store-client.ts';

const OWN_BY_KIND = new Map(
  Object.entries(RESOURCES).map(([resource, { kind, apiVersion, isNamespaced }]) => [
    kindKey(kind, apiVersion),
    { resource, isNamespaced },
  ]),
);

function kindKey(kind: string, apiVersion: string): string {
  return `${apiVersion}/${kind}`;
}

/** The API for objects of all kinds: those of the store, and further ones where somebody serves them. */
export class GarbageApi {
  readonly #client: StoreClient;
  /** Objects that the store does not know. */
  further: FurtherObjects | undefined;

  constructor(client: StoreClient, further?: FurtherObjects) {
    this.#client = client;
    this.further = further;
  }

  /** The resource of the owner; undefined for a kind that this API does not serve in that version. */
  resourceOf({ kind, apiVersion = 'v1' }: Pick<OwnerReference, 'kind' | 'apiVersion'>): FurtherResource | undefined {
    return OWN_BY_KIND.get(kindKey(kind, apiVersion)) ?? this.further?.resourceOf(apiVersion, kind);
  }

  /** @throws ApiError NotFound */
  get(resource: string, namespace: string, name: string): KubernetesObject {
    if (this.#isFurther(resource)) return this.#others.get(resource, namespace, name);
    return this.#client.get(resource as Resource, namespace, name);
  }

  /** Changes the metadata of an object. @throws ApiError NotFound, Conflict, Invalid */
  patchMetadata(resource: string, namespace: string, name: string, patch: Patch): KubernetesObject {
    if (this.#isFurther(resource)) return this.#others.patchMetadata(resource, namespace, name, patch);
    return this.#client.patch(resource as Resource, namespace, name, patch);
  }

  /** @throws ApiError NotFound, Conflict */
  delete(resource: string, namespace: string, name: string, options: DeleteOptions): void {
    if (this.#isFurther(resource)) this.#others.delete(resource, namespace, name, options);
    else this.#client.delete(resource as Resource, namespace, name, options);
  }

  #isFurther(resource: string): boolean {
    return !Object.hasOwn(RESOURCES, resource);
  }

  get #others(): FurtherObjects {
    return this.further as FurtherObjects;
  }
}

import type { KubernetesObject } from '../api/meta.ts';
import type { Pod } from '../api/pod.ts';
import type { ResourceClaim } from '../api/resource-claims.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/storage.ts';
import type { Resource } from '../store/objects/resources.ts';
import { CallsInOrder } from './calls-in-order.ts';
import type { KubeConnection } from './connection/kube-connection.ts';
import { objectPath, resourcePath } from './resource-path.ts';

const STRATEGIC = 'application/strategic-merge-patch+json';

/** The writes of a scheduler, as requests to an API server. All reject with an `ApiError` when they are refused. */
export class RemoteSchedulerApi {
  readonly #connection: KubeConnection;
  readonly #inOrder = new CallsInOrder();

  constructor(connection: KubeConnection) {
    this.#connection = connection;
  }

  /** The server answers with a Status, so the bound pod is known when a watch shows it. */
  async bindPod({ metadata }: Pod, nodeName: string): Promise<undefined> {
    const { namespace = '', name = '', uid } = metadata ?? {};
    const body = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { namespace, name, uid },
      target: { kind: 'Node', name: nodeName },
    };
    await this.#ofPod(namespace, name, { method: 'POST', subresource: 'binding', body });
  }

  async patchPodStatus(namespace: string, name: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#ofPod(namespace, name, { method: 'PATCH', subresource: 'status', body, contentType: STRATEGIC });
  }

  async patchPodGroupStatus(namespace: string, name: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    const path = objectPath('podgroups', namespace, name, 'status');
    const call = { method: 'PATCH', path, body, contentType: STRATEGIC } as const;
    await this.#inOrder.run(`group ${namespace}/${name}`, () => this.#connection.request(call));
  }

  async deletePod(namespace: string, name: string): Promise<void> {
    await this.#ofPod(namespace, name, { method: 'DELETE' });
  }

  updatePersistentVolume(volume: PersistentVolume): Promise<PersistentVolume> {
    return this.#update('persistentvolumes', volume);
  }

  updatePersistentVolumeClaim(claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
    return this.#update('persistentvolumeclaims', claim);
  }

  createResourceClaim(claim: ResourceClaim): Promise<ResourceClaim> {
    const path = resourcePath('resourceclaims', claim.metadata?.namespace);
    return this.#connection.request({ method: 'POST', path, body: claim });
  }

  async deleteResourceClaim(namespace: string, name: string): Promise<void> {
    await this.#connection.request({ method: 'DELETE', path: objectPath('resourceclaims', namespace, name) });
  }

  getResourceClaim(namespace: string, name: string): Promise<ResourceClaim> {
    return this.#connection.request({ method: 'GET', path: objectPath('resourceclaims', namespace, name) });
  }

  updateResourceClaim(claim: ResourceClaim): Promise<ResourceClaim> {
    return this.#update('resourceclaims', claim);
  }

  updateResourceClaimStatus(claim: ResourceClaim): Promise<ResourceClaim> {
    return this.#update('resourceclaims', claim, 'status');
  }

  async patchResourceClaimStatus(
    namespace: string,
    name: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const path = objectPath('resourceclaims', namespace, name, 'status');
    await this.#connection.request({ method: 'PATCH', path, body, contentType: STRATEGIC });
  }

  #ofPod(namespace: string, name: string, call: PodCall): Promise<unknown> {
    const { subresource, ...request } = call;
    const path = objectPath('pods', namespace, name, subresource);
    return this.#inOrder.run(`${namespace}/${name}`, () => this.#connection.request({ ...request, path }));
  }

  #update<T extends KubernetesObject>(resource: Resource, object: T, subresource?: string): Promise<T> {
    const { namespace = '', name = '' } = object.metadata ?? {};
    const path = objectPath(resource, namespace, name, subresource);
    return this.#connection.request({ method: 'PUT', path, body: object });
  }
}

interface PodCall {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly subresource?: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

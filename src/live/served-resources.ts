import type { KubeConnection } from '../remote/connection/kube-connection.ts';
import { ApiError } from '../store/objects/api-error.ts';
import { RESOURCES, type Resource } from '../store/objects/resources.ts';

interface ResourceList {
  readonly resources?: readonly { readonly name?: string }[] | null;
}

/** The resources among these that the server has: older versions of Kubernetes lack some. Rejects with an ApiError. */
export async function servedResources(
  connection: KubeConnection,
  resources: readonly Resource[],
): Promise<readonly Resource[]> {
  const versions = [...new Set(resources.map((resource) => RESOURCES[resource].apiVersion))];
  const lists = await Promise.all(versions.map((version) => namesOf(connection, version)));
  const served = new Map(versions.map((version, i) => [version, lists[i]]));
  return resources.filter((resource) => served.get(RESOURCES[resource].apiVersion)?.has(resource));
}

async function namesOf(connection: KubeConnection, apiVersion: string): Promise<ReadonlySet<string>> {
  const path = `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}`;
  try {
    const { resources } = await connection.request<ResourceList>({ method: 'GET', path });
    return new Set((resources ?? []).map(({ name }) => name ?? ''));
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return new Set();
    throw error;
  }
}

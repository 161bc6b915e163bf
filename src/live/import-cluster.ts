import type { KubernetesObject } from '../api/meta.ts';
import type { KubeConnection } from '../remote/connection/kube-connection.ts';
import { queryOf, resourcePath } from '../remote/resource-path.ts';
import { trimmed } from '../remote/watch/trimmed.ts';
import { ApiError } from '../store/objects/api-error.ts';
import { RESOURCES, type Resource } from '../store/objects/resources.ts';

/** What scheduling reads, and the workloads whose pods may be missing. */
export const IMPORTED: readonly Resource[] = [
  ...(['nodes', 'namespaces', 'pods', 'services', 'replicationcontrollers', 'replicasets', 'statefulsets'] as const),
  ...(['deployments', 'daemonsets', 'jobs', 'cronjobs', 'poddisruptionbudgets', 'priorityclasses'] as const),
  ...(['persistentvolumes', 'persistentvolumeclaims', 'storageclasses', 'csinodes', 'csidrivers'] as const),
  ...(['csistoragecapacities', 'volumeattachments', 'resourceclaims', 'resourceslices', 'deviceclasses'] as const),
];

/** Upstream: pager.defaultPageSize. */
const PAGE_SIZE = 500;

/** The objects of one resource. */
export interface ImportedResource {
  readonly resource: Resource;
  readonly objects: readonly KubernetesObject[];
  /** Whether they were read as they were when the first resource was read. */
  readonly isOfOneMoment: boolean;
}

interface Page {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly KubernetesObject[] | null;
}

/**
 * Reads a cluster, resource by resource, all of them as they were when the first page was read: a pod is then never on
 * a node that came later. A resource whose server does not keep that version any more is read as it is now; one that
 * the server does not have is empty. Rejects with an ApiError.
 */
export async function* importCluster(connection: KubeConnection): AsyncGenerator<ImportedResource> {
  let version = '';
  for (const resource of IMPORTED) {
    const read = await readAt(connection, resource, version);
    version ||= read.version;
    yield read;
  }
}

interface Read extends ImportedResource {
  readonly version: string;
}

async function readAt(connection: KubeConnection, resource: Resource, version: string): Promise<Read> {
  if (version === '') return { resource, ...(await readPages(connection, resource, {})), isOfOneMoment: true };
  try {
    const exactly = { resourceVersion: version, resourceVersionMatch: 'Exact' };
    return { resource, ...(await readPages(connection, resource, exactly)), isOfOneMoment: true };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.reason === 'NotFound') return { resource, objects: [], version, isOfOneMoment: true };
    if (!REFUSES_VERSION.has(error.reason)) throw error;
  }
  return { resource, ...(await readPages(connection, resource, {})), isOfOneMoment: false };
}

/** What a server answers that does not have the version any more, or does not list old versions at all. */
const REFUSES_VERSION: ReadonlySet<string> = new Set(['Expired', 'Gone', 'BadRequest', 'Invalid']);

async function readPages(
  connection: KubeConnection,
  resource: Resource,
  at: Readonly<Record<string, string>>,
): Promise<{ readonly objects: readonly KubernetesObject[]; readonly version: string }> {
  const { kind, apiVersion } = RESOURCES[resource];
  const objects: KubernetesObject[] = [];
  let version = '';
  let next: string | undefined;
  do {
    // The continuation has its version inside.
    const query = queryOf({ limit: PAGE_SIZE, ...(next === undefined ? at : { continue: next }) });
    const page = await connection.request<Page>({ method: 'GET', path: resourcePath(resource) + query });
    for (const item of page.items ?? []) objects.push({ apiVersion, kind, ...trimmed(item) });
    version ||= page.metadata?.resourceVersion ?? '';
    next = page.metadata?.continue || undefined;
  } while (next !== undefined);
  return { objects, version };
}

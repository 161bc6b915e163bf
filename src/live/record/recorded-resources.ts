import type { KubeConnection } from '../../remote/connection/kube-connection.ts';
import { groupOf } from '../../remote/resource-path.ts';
import type { Resource } from '../../store/objects/resources.ts';
import { IMPORTED } from '../import-cluster.ts';
import { checkRights } from '../rights.ts';
import { servedResources } from '../served-resources.ts';

/** What the server has of what scheduling reads. Rejects with a CodedError `Forbidden`, or an ApiError. */
export async function recordedResources(connection: KubeConnection): Promise<readonly Resource[]> {
  const resources = await servedResources(connection, [...IMPORTED, 'podgroups']);
  const verbs = ['list', 'watch'];
  await checkRights(
    connection,
    resources.flatMap((resource) => verbs.map((verb) => ({ verb, group: groupOf(resource), resource }))),
  );
  return resources;
}

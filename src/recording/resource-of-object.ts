import type { KubernetesObject } from '../api/meta.ts';
import { RESOURCES, type Resource } from '../store/objects/resources.ts';

const BY_TYPE = new Map<string, Resource>(
  (Object.keys(RESOURCES) as Resource[]).map((resource) => {
    const { apiVersion, kind } = RESOURCES[resource];
    return [`${apiVersion}/${kind}`, resource];
  }),
);

/** The resource to which an object with its apiVersion and kind belongs; undefined for one that Berth does not know. */
export function resourceOfObject({ apiVersion, kind }: KubernetesObject): Resource | undefined {
  return BY_TYPE.get(`${apiVersion}/${kind}`);
}

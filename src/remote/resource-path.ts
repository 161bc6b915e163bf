import { RESOURCES, type Resource } from '../store/objects/resources.ts';

/** The path of a resource: `/apis/storage.k8s.io/v1/storageclasses`, in a namespace or in all. */
export function resourcePath(resource: Resource, namespace?: string): string {
  const { apiVersion, isNamespaced } = RESOURCES[resource];
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const within = isNamespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${within}/${resource}`;
}

/** The path of an object or of one of its subresources. */
export function objectPath(resource: Resource, namespace: string, name: string, subresource?: string): string {
  const path = `${resourcePath(resource, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** The parameters that are given, as a query: `?limit=500`, or nothing. */
export function queryOf(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** The API group of a resource; '' for the core. */
export function groupOf(resource: Resource): string {
  const [group = '', version] = RESOURCES[resource].apiVersion.split('/');
  return version === undefined ? '' : group;
}

/** A resource that the server serves, as discovery describes it. Built-in ones are a table; CRDs add others. */
export interface ApiResource {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural, as it stands in a URL. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly isNamespaced: boolean;
  /** The order is that in which discovery lists them. */
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly ApiSubresource[];
  /** Absent for resources without storage, such as reviews. */
  readonly storageVersionHash: string | undefined;
  /** Whether the resource comes from a CustomResourceDefinition. */
  readonly isCustom: boolean;
  /** Where a custom resource has the numbers and the selector of its scale: `.spec.replicas`. */
  readonly scalePaths?: ScalePaths | undefined;
  /** What every use of the resource is answered with, in a version that its definition calls deprecated. */
  readonly deprecation?: string | undefined;
  /** The fields that selectors may name besides those of metadata, of a custom resource: `.spec.color`. */
  readonly selectableFields?: readonly string[] | undefined;
}

export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector: string;
}

export interface ApiSubresource {
  /** `status`, `scale`, `binding`, ... */
  readonly name: string;
  /** The kind that it reads and writes; group and version are absent where they are those of the resource. */
  readonly kind: string;
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly verbs: readonly string[];
}

/** `v1`, `apps/v1` */
export function groupVersionText({ group, version }: Pick<ApiResource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The resource as messages name it: `pods`, `deployments.apps`. */
export function resourceText({ group, resource }: Pick<ApiResource, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** The kind as messages name it: `Pod`, `Deployment.apps`. */
export function kindText({ group, kind }: Pick<ApiResource, 'group' | 'kind'>): string {
  return group === '' ? kind : `${kind}.${group}`;
}

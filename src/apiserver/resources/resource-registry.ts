import type { ApiResource } from '../../kinds/object/api-resource.ts';
import type { KindSchema, SchemaRegistry, ServedResource } from '../../kinds/object/kind-schema.ts';
import { untypedSchema } from '../../kinds/registry/untyped-schema.ts';
import { BUILT_IN_RESOURCES } from './built-in-resources.ts';
import { comparePreference } from './version-order.ts';

export interface ServedGroup {
  readonly name: string;
  /** The preferred version is first. */
  readonly versions: readonly ServedVersion[];
}

export interface ServedVersion {
  readonly version: string;
  readonly resources: readonly ServedResource[];
}

/** Everything that is served: the built-in resources, and those of custom definitions. */
export class ResourceRegistry {
  readonly schemas: SchemaRegistry;
  /** Hears of resources that are added later; absent: nobody does. */
  onAdded: ((served: ServedResource) => void) | undefined;
  readonly #groups = new Map<string, Map<string, Map<string, ServedResource>>>();

  constructor(schemas: SchemaRegistry, resources: readonly ApiResource[] = BUILT_IN_RESOURCES) {
    this.schemas = schemas;
    for (const resource of resources) {
      const schema = schemas.builtIn(resource.group, resource.version, resource.kind);
      this.add({ resource, schema: schema ?? untypedSchema(resource) });
    }
  }

  add(served: ServedResource): void {
    const { group, version, resource } = served.resource;
    const versions = this.#groups.get(group) ?? new Map<string, Map<string, ServedResource>>();
    this.#groups.set(group, versions);
    const resources = versions.get(version) ?? new Map<string, ServedResource>();
    versions.set(version, resources);
    resources.set(resource, served);
    this.onAdded?.(served);
  }

  remove({ group, version, resource }: ApiResource): void {
    const versions = this.#groups.get(group);
    const resources = versions?.get(version);
    resources?.delete(resource);
    if (resources?.size === 0) versions?.delete(version);
    if (versions?.size === 0) this.#groups.delete(group);
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#groups.get(group)?.get(version)?.get(resource);
  }

  /** The resource whose objects are of a kind. */
  findKind(group: string, version: string, kind: string): ServedResource | undefined {
    const resources = this.#groups.get(group)?.get(version);
    return [...(resources?.values() ?? [])].find(({ resource }) => resource.kind === kind);
  }

  *everything(): Iterable<ServedResource> {
    for (const versions of this.#groups.values()) {
      for (const resources of versions.values()) yield* resources.values();
    }
  }

  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  /** Whether all resources of the group come from definitions. */
  isCustomGroup(group: string): boolean {
    const resources = this.group(group)?.versions.flatMap((version) => version.resources) ?? [];
    return resources.length > 0 && resources.every(({ resource }) => resource.isCustom);
  }

  /** The schema of any known kind, whether or not it has a resource. */
  schemaOf(group: string, version: string, kind: string): KindSchema | undefined {
    return this.schemas.builtIn(group, version, kind);
  }

  /** Whether a kind is known in a version: lists of known kinds are, too, and `List` of the core group. */
  isKnownKind(group: string, version: string, kind: string): boolean {
    if (group === '' && version === 'v1' && kind === 'List') return true;
    const item = kind.endsWith('List') ? kind.slice(0, -'List'.length) : kind;
    return this.schemaOf(group, version, kind) !== undefined || this.schemaOf(group, version, item) !== undefined;
  }

  group(name: string): ServedGroup | undefined {
    const versions = this.#groups.get(name);
    if (versions === undefined) return undefined;
    const all = [...versions].map(([version, resources]) => ({ version, resources: [...resources.values()] }));
    // The table of built-in resources has its versions in their order.
    const isCustom = all.some(({ resources }) => resources.some(({ resource }) => resource.isCustom));
    if (isCustom) all.sort((a, b) => comparePreference(a.version, b.version));
    return { name, versions: all };
  }

  /** All groups but the core one, in the order of discovery. */
  get groups(): readonly ServedGroup[] {
    return [...this.#groups.keys()].filter((name) => name !== '').map((name) => this.group(name) as ServedGroup);
  }
}

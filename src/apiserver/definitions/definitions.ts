import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { timeAtMillis } from '../../api/time.ts';
import { CustomSchema } from '../../kinds/custom/custom-schema.ts';
import { objectAt, objectsAt, textAt } from '../../kinds/defaults/members.ts';
import type { ApiResource, ApiSubresource, ScalePaths } from '../../kinds/object/api-resource.ts';
import type { ApiMetadata, ApiObject, JsonObject } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ResourceRegistry } from '../resources/resource-registry.ts';
import { comparePreference } from '../resources/version-order.ts';
import type { ResourceStorage } from '../storage/resource-storage.ts';
import type { Storages } from '../storage/storages.ts';
import { acceptance } from './name-acceptance.ts';

export const DEFINITIONS_GROUP = 'apiextensions.k8s.io';
const FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';
const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];

export interface DefinitionModules {
  readonly registry: ResourceRegistry;
  readonly storages: Storages;
  readonly clock: Clock;
}

/**
 * Serves what CustomResourceDefinitions define: accepts their names, establishes them, and takes their objects away
 * with them (the controllers of apiextensions-apiserver, run at once after each write).
 */
export class CustomDefinitions {
  private readonly modules: DefinitionModules;
  /** What is served for each definition, by its name. */
  private readonly served = new Map<string, { readonly text: string; readonly resources: readonly ServedResource[] }>();

  constructor(modules: DefinitionModules) {
    this.modules = modules;
  }

  /** Brings what is served in line with the stored definitions. */
  sync(): void {
    const storage = this.storage();
    if (storage === undefined) return;
    const definitions = [...storage.from(undefined)];
    for (const definition of definitions) {
      if (definition.metadata?.deletionTimestamp !== undefined) this.finish(storage, definition);
      else this.serve(this.accepted(storage, definition, definitions));
    }
    const names = new Set([...storage.from(undefined)].map(({ metadata }) => metadata?.name));
    for (const name of [...this.served.keys()]) if (!names.has(name)) this.withdraw(name);
  }

  /** A definition that is to be deleted stays until its objects are gone. */
  markForDeletion(name: string): void {
    const storage = this.storage();
    const definition = storage?.get('', name);
    if (storage === undefined || definition === undefined || definition.metadata?.deletionTimestamp !== undefined)
      return;
    const finalizers = definition.metadata?.finalizers ?? [];
    if (finalizers.includes(FINALIZER)) return;
    const metadata = {
      ...definition.metadata,
      finalizers: [...finalizers, FINALIZER],
      deletionTimestamp: this.now(),
    } as ApiMetadata;
    const status = objectAt(definition, 'status') ?? {};
    const terminating = {
      type: 'Terminating',
      status: 'True',
      lastTransitionTime: this.now(),
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    };
    const conditions = [...objectsAt(status, 'conditions'), terminating];
    storage.replace({ ...definition, metadata, status: { ...status, conditions } }, definition);
  }

  private storage(): ResourceStorage | undefined {
    const { registry, storages } = this.modules;
    const served = registry.find(DEFINITIONS_GROUP, 'v1', 'customresourcedefinitions');
    return served === undefined ? undefined : storages.of(served);
  }

  private now(): string {
    return timeAtMillis(this.modules.clock.nowMillis());
  }

  /** The definition with the status that its names have. */
  private accepted(storage: ResourceStorage, definition: ApiObject, all: readonly ApiObject[]): ApiObject {
    const status = objectAt(definition, 'status') ?? {};
    const next = acceptance(definition, all, this.now());
    const stored = Array.isArray(status['storedVersions']) ? status['storedVersions'].map(String) : [];
    const current = objectsAt(objectAt(definition, 'spec'), 'versions').find((version) => version['storage'] === true);
    const name = textAt(current, 'name');
    const storedVersions = stored.includes(name) ? stored : [...stored, name];
    const wanted: JsonObject = { ...status, ...next, storedVersions };
    if (isDeepStrictEqual(JSON.parse(JSON.stringify(wanted)), JSON.parse(JSON.stringify(status)))) return definition;
    return storage.replace({ ...definition, status: wanted }, definition);
  }

  private serve(definition: ApiObject): void {
    const name = definition.metadata?.name ?? '';
    const conditions = objectsAt(objectAt(definition, 'status'), 'conditions');
    if (!conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return;
    const text = JSON.stringify(definition['spec']);
    if (this.served.get(name)?.text === text) return;
    const versions = objectsAt(objectAt(definition, 'spec'), 'versions').filter(
      (version) => version['served'] === true,
    );
    const resources = versions.map((version) => ({
      resource: resourceOf(definition, version),
      schema: new CustomSchema(definition, version),
    }));
    const isNew = !this.served.has(name);
    this.withdraw(name);
    for (const resource of resources) this.modules.registry.add(resource);
    const [first] = resources;
    if (isNew && first !== undefined) this.modules.storages.of(first).begin();
    this.served.set(name, { text, resources });
  }

  private withdraw(name: string): void {
    for (const { resource } of this.served.get(name)?.resources ?? []) this.modules.registry.remove(resource);
    this.served.delete(name);
  }

  /** Whether the definition of a resource is to be deleted, and waits for the last of its objects. */
  isTerminating({ group, resource }: ApiResource): boolean {
    return this.storage()?.get('', `${resource}.${group}`)?.metadata?.deletionTimestamp !== undefined;
  }

  /** Deletes the objects of a definition; the definition goes when none is left that somebody holds. */
  private finish(storage: ResourceStorage, definition: ApiObject): void {
    const name = definition.metadata?.name ?? '';
    const [first] = this.served.get(name)?.resources ?? [];
    if (first !== undefined && this.deleteObjects(first)) {
      this.showProgress(storage, definition);
      return;
    }
    const others = (definition.metadata?.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
    if (others.length > 0) {
      if (others.length === definition.metadata?.finalizers?.length) return;
      storage.replace({ ...definition, metadata: { ...definition.metadata, finalizers: others } }, definition);
      return;
    }
    this.withdraw(name);
    storage.remove(definition);
  }

  /** Whether any object stays because of its finalizers. */
  private deleteObjects(served: ServedResource): boolean {
    const objects = this.modules.storages.of(served);
    let isHeld = false;
    for (const object of [...objects.from(undefined)]) {
      const { finalizers = [], deletionTimestamp, generation = 0 } = object.metadata ?? {};
      if (finalizers.length === 0) objects.remove(object);
      else isHeld = true;
      if (finalizers.length === 0 || deletionTimestamp !== undefined) continue;
      const mark = { deletionTimestamp: this.now(), deletionGracePeriodSeconds: 0, generation: generation + 1 };
      objects.replace({ ...object, metadata: { ...(object.metadata as ApiMetadata), ...mark } }, object);
    }
    return isHeld;
  }

  private showProgress(storage: ResourceStorage, definition: ApiObject): void {
    const status = objectAt(definition, 'status') ?? {};
    const reason = 'InstanceDeletionInProgress';
    const before = objectsAt(status, 'conditions');
    if (before.some((condition) => condition['reason'] === reason)) return;
    const conditions = before.map((condition) =>
      condition['type'] === 'Terminating'
        ? { ...condition, reason, message: 'CustomResource deletion is in progress' }
        : condition,
    );
    storage.replace({ ...definition, status: { ...status, conditions } }, definition);
  }
}

/** What users of a deprecated version are told: what the definition says, or which version to use instead. */
function deprecationOf(spec: JsonObject | undefined, version: JsonObject): string | undefined {
  if (version['deprecated'] !== true) return undefined;
  const own = version['deprecationWarning'];
  if (typeof own === 'string') return own;
  const [group, kind] = [textAt(spec, 'group'), textAt(objectAt(spec, 'names'), 'kind')];
  const name = textAt(version, 'name');
  const better = objectsAt(spec, 'versions')
    .filter((other) => other['served'] === true && other['deprecated'] !== true)
    .map((other) => textAt(other, 'name'))
    .filter((other) => comparePreference(other, name) < 0)
    .sort(comparePreference);
  const instead = better.length === 0 ? '' : `; use ${group}/${better[0]} ${kind}`;
  return `${group}/${name} ${kind} is deprecated${instead}`;
}

function scalePathsOf(scale: JsonObject | undefined): ScalePaths | undefined {
  if (scale === undefined) return undefined;
  return {
    specReplicas: textAt(scale, 'specReplicasPath'),
    statusReplicas: textAt(scale, 'statusReplicasPath'),
    labelSelector: textAt(scale, 'labelSelectorPath'),
  };
}

function resourceOf(definition: ApiObject, version: JsonObject): ApiResource {
  const spec = objectAt(definition, 'spec');
  const names = objectAt(spec, 'names');
  const list = (name: string): string[] => (Array.isArray(names?.[name]) ? names[name].map(String) : []);
  const [group, kind, versionName] = [textAt(spec, 'group'), textAt(names, 'kind'), textAt(version, 'name')];
  const storage = objectsAt(spec, 'versions').find((one) => one['storage'] === true);
  const hash = createHash('sha256')
    .update(`${group}/${textAt(storage, 'name')}/${kind}`)
    .digest()
    .subarray(0, 8);
  const parts = objectAt(version, 'subresources');
  const subresources: ApiSubresource[] = [];
  if (parts?.['status'] !== undefined) subresources.push({ name: 'status', kind, verbs: SUBRESOURCE_VERBS });
  if (parts?.['scale'] !== undefined) {
    subresources.push({ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: SUBRESOURCE_VERBS });
  }
  return {
    group,
    version: versionName,
    resource: textAt(names, 'plural'),
    singular: textAt(names, 'singular'),
    kind,
    listKind: textAt(names, 'listKind'),
    isNamespaced: textAt(spec, 'scope') === 'Namespaced',
    verbs: VERBS,
    shortNames: list('shortNames'),
    categories: list('categories'),
    subresources,
    storageVersionHash: hash.toString('base64'),
    isCustom: true,
    scalePaths: scalePathsOf(objectAt(parts, 'scale')),
    deprecation: deprecationOf(spec, version),
    selectableFields: objectsAt(version, 'selectableFields').map((field) => textAt(field, 'jsonPath')),
  };
}

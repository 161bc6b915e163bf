import type { KubernetesObject } from '../api/meta.ts';
import { isChange, type RecordedLine } from './recording-lines.ts';
import { resourceOfObject } from './resource-of-object.ts';

/** What is known of an object that exists. */
export interface KnownObject {
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string | undefined;
  readonly version: string;
}

/** What a recording knows of a resource. */
export class KnownResource {
  /** The version up to which everything is recorded; '' before the first list is complete. */
  version = '';
  readonly objects = new Map<string, KnownObject>();
}

/** The objects that exist, by what a recording says so far: from here it can go on. */
export class KnownObjects {
  readonly #resources = new Map<string, KnownResource>();

  of(resource: string): KnownResource {
    const known = this.#resources.get(resource) ?? new KnownResource();
    this.#resources.set(resource, known);
    return known;
  }

  take(line: RecordedLine): void {
    if (line.type === 'BOOKMARK') this.of(line.resource).version = line.resourceVersion;
    if (!isChange(line)) return;
    const { object, type, listed } = line;
    const resource = resourceOfObject(object);
    if (resource === undefined) return;
    const known = this.of(resource);
    if (type === 'DELETED') known.objects.delete(keyOf(object));
    else known.objects.set(keyOf(object), knownObject(object));
    if (!listed) known.version = object.metadata?.resourceVersion ?? known.version;
  }
}

export function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

function knownObject({ metadata }: KubernetesObject): KnownObject {
  const { namespace, name = '', uid, resourceVersion = '' } = metadata ?? {};
  return { namespace, name, uid, version: resourceVersion };
}

import { isDeepStrictEqual } from 'node:util';
import type { ApiMetadata, ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { combined } from '../../lib/combined.ts';
import { deepFrozen } from '../../lib/deep-frozen.ts';
import { areSameLabels } from './metadata-shape.ts';

/** What distinguishes an object from others of the same template. */
export interface OwnMembers {
  readonly name: string;
  readonly labels: Labels | undefined;
  readonly uid: string;
  /** The time of the create. */
  readonly now: string;
  readonly resourceVersion: string;
}

type Labels = Readonly<Record<string, string>>;

export interface MadeObject {
  /** Frozen, as it is stored. */
  readonly object: ApiObject;
  /** Its JSON text from behind kind and version on; undefined where these do not come first. */
  readonly tail: string | undefined;
}

const HEAD: readonly string[] = ['apiVersion', 'kind'];

/** Makes objects like one that was created: they share all that they have in common. */
export class CreateTemplate {
  /** The object with the metadata of the first one; not frozen, since copies of what is frozen take long to make. */
  readonly #object: ApiObject;
  readonly #metadata: ApiMetadata;
  readonly #rest: string | undefined;
  /** The entries of managers with the time of the last object. */
  #managed: { readonly now: string; readonly entries: JsonObject[] | undefined; readonly text: string };

  /** Whether the time of the create is found in more than the metadata, so that others would not share it. */
  readonly hasTimes: boolean;

  /** `created`: the object as it was stored. */
  constructor(created: ApiObject) {
    const { metadata = {}, ...others } = created;
    const now = metadata.creationTimestamp ?? '';
    deepFrozen(others);
    this.hasTimes = JSON.stringify(others).includes(now);
    this.#metadata = { ...metadata };
    for (const member of Object.values(metadata)) deepFrozen(member);
    this.#object = { ...created };
    this.#rest = restOf(created);
    const entries = metadata.managedFields;
    this.#managed = { now, entries, text: JSON.stringify(entries ?? null) };
  }

  /** Whether an object that was made in the usual way is the one that this template would have made. */
  makes(created: ApiObject): boolean {
    const { name = '', labels, uid = '', creationTimestamp = '', resourceVersion = '' } = created.metadata ?? {};
    const { object, tail } = this.make({ name, labels, uid, now: creationTimestamp, resourceVersion });
    if (tail !== undefined && !JSON.stringify(created).endsWith(tail)) return false;
    return isDeepStrictEqual(object, created);
  }

  make({ name, labels, uid, now, resourceVersion }: OwnMembers): MadeObject {
    const managed = this.#managersAt(now);
    const metadata: ApiMetadata = combined(this.#metadata, { name, uid, creationTimestamp: now, resourceVersion });
    if (managed.entries !== undefined) metadata.managedFields = managed.entries;
    if (metadata.labels !== undefined && labels !== undefined && !areSameLabels(metadata.labels, labels)) {
      metadata.labels = Object.freeze(inOrderOf(metadata.labels, labels));
    }
    const object = Object.freeze({ ...this.#object, metadata: Object.freeze(metadata) });
    const rest = this.#rest;
    const tail = rest === undefined ? undefined : `"metadata":{${textOfMembers(metadata, managed.text)}}${rest}`;
    return { object, tail };
  }

  #managersAt(now: string): { readonly entries: JsonObject[] | undefined; readonly text: string } {
    if (this.#managed.now === now || this.#managed.entries === undefined) return this.#managed;
    const entries: JsonObject[] = this.#managed.entries.map((entry) => Object.freeze({ ...entry, time: now }));
    Object.freeze(entries);
    this.#managed = { now, entries, text: JSON.stringify(entries) };
    return this.#managed;
  }
}

/** A copy of labels with the keys in the order of others, which have the same keys. */
function inOrderOf(order: Labels, labels: Labels): Labels {
  const result: Record<string, string> = {};
  for (const key in order) result[key] = labels[key] as string;
  return result;
}

/** The text of the members behind the metadata, if these are the first behind kind and version. */
function restOf(object: ApiObject): string | undefined {
  const names = Object.keys(object);
  if (names[2] !== 'metadata' || !HEAD.every((name) => names.indexOf(name) < 2)) return undefined;
  const { apiVersion: _, kind: __, metadata: ___, ...others } = object;
  const text = JSON.stringify(others);
  return text === '{}' ? text.slice(1) : `,${text.slice(1)}`;
}

/** The text of metadata without braces; that of the managers is known. */
function textOfMembers(metadata: ApiMetadata, managers: string): string {
  let text = '';
  for (const name in metadata) {
    if (text !== '') text += ',';
    text += `"${name}":`;
    text += name === 'managedFields' ? managers : JSON.stringify(metadata[name]);
  }
  return text;
}

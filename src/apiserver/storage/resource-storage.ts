import type { KubernetesObject } from '../../api/meta.ts';
import type { ApiResource } from '../../kinds/object/api-resource.ts';
import type { ApiObject } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import { combined } from '../../lib/combined.ts';
import type { HistoryWatch, ObjectSelection } from '../../store/ledger/history-watch.ts';
import type { Ledger, Shelf } from '../../store/ledger/ledger.ts';
import { FIRST_KEY, type ObjectKey } from '../../store/ledger/object-key.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';
import { CompleteForms } from './complete-forms.ts';
import { ObjectTexts } from './object-texts.ts';

/** Resources that are stored with another one's objects: both show the same objects. */
const STORED_AS: Readonly<Record<string, string>> = { 'events.events.k8s.io': 'events' };

/** The name under which the ledger keeps a resource: that of the store for its own, else with the group. */
function shelfName({ group, resource }: Pick<ApiResource, 'group' | 'resource'>): string {
  const full = group === '' ? resource : `${resource}.${group}`;
  const known = Object.hasOwn(RESOURCES, resource) ? RESOURCES[resource as Resource] : undefined;
  if (known !== undefined && known.apiVersion.split('/').slice(0, -1).join('/') === group) return resource;
  return STORED_AS[full] ?? full;
}

/** The stored objects of one resource, in the form in which the API shows them. Objects that come out are frozen. */
export class ResourceStorage {
  readonly #ledger: Ledger;
  readonly #shelf: Shelf<KubernetesObject>;
  /** Objects that were written through this API, and so are complete, and the complete forms of others. */
  readonly #complete: WeakMap<object, ApiObject>;
  readonly #served: ServedResource;
  readonly #texts: ObjectTexts;
  readonly #forms: CompleteForms;

  constructor(ledger: Ledger, served: ServedResource, complete: WeakMap<object, ApiObject>) {
    this.#ledger = ledger;
    this.#shelf = ledger.shelf(shelfName(served.resource));
    this.#complete = complete;
    this.#served = served;
    this.#texts = new ObjectTexts(served.resource);
    this.#forms = new CompleteForms(served);
  }

  /** The name under which the objects are kept. */
  get name(): string {
    return this.#shelf.name;
  }

  get version(): number {
    return this.#ledger.version;
  }

  get(namespace: string, name: string): ApiObject | undefined {
    const found = this.stored(namespace, name);
    return found === undefined ? undefined : this.completed(found);
  }

  /** The object as it is stored, which may lack defaults. */
  stored(namespace: string, name: string): KubernetesObject | undefined {
    return this.#shelf.objects.get(namespace, name);
  }

  /** The objects as they are stored, in the order of their keys, from a key on: all, or those of one name. */
  storedFrom(namespace: string | undefined, start = FIRST_KEY, name?: string): Iterable<KubernetesObject> {
    return this.#shelf.objects.sortedFrom(namespace, start, name);
  }

  /** The pods on a node as they are stored, in order of their keys; null for other resources, and without a name. */
  storedOn(nodeName: string | undefined): readonly KubernetesObject[] | null {
    return this.#shelf.objects.withIndexed(nodeName);
  }

  /** The JSON text of the complete form of a stored object. */
  textOf(stored: KubernetesObject): string {
    return this.#texts.head + this.#tailOf(stored);
  }

  /** The texts that make up the items of a list, one after the other. */
  itemTexts(objects: readonly KubernetesObject[]): string[] {
    const pieces: string[] = [];
    for (const stored of objects) {
      pieces.push(pieces.length === 0 ? this.#texts.itemHead : `,${this.#texts.itemHead}`);
      pieces.push(this.#tailOf(stored));
    }
    return pieces;
  }

  /** The text is kept, and so the complete form that it is made from need not be. */
  #tailOf(stored: KubernetesObject): string {
    return this.#texts.tailOf(stored, () => this.shown(stored));
  }

  /** The complete form of a stored object, for one use: a form that is made is not kept. */
  shown(stored: KubernetesObject): ApiObject {
    return this.#complete.get(stored) ?? this.#forms.of(stored);
  }

  /** The objects in the order of their keys, from a key on; all namespaces if `namespace` is undefined. */
  *from(namespace: string | undefined, start: ObjectKey = FIRST_KEY): Iterable<ApiObject> {
    for (const object of this.#shelf.objects.sortedFrom(namespace, start)) yield this.completed(object);
  }

  /** Adds an object; returns it with its version, or undefined when the name is taken. */
  insert(object: ApiObject): ApiObject | undefined {
    const next = this.#next(object);
    return this.#ledger.insertInto(this.#shelf, next as unknown as KubernetesObject) ? next : undefined;
  }

  /** The version that the next write will have. */
  get nextVersion(): string {
    return this.#ledger.nextVersion;
  }

  /** Adds a complete, frozen object that bears the next version, under a name that is free. `tail`: of its text. */
  insertMade(object: ApiObject, tail: string | undefined): KubernetesObject {
    const stored = object as unknown as KubernetesObject;
    this.#complete.set(object, object);
    if (tail !== undefined) this.#texts.keep(object, tail);
    this.#ledger.insertInto(this.#shelf, stored);
    return stored;
  }

  replace(object: ApiObject, previous: ApiObject): ApiObject {
    const next = this.#next(object);
    this.#ledger.replaceIn(this.#shelf, next as unknown as KubernetesObject, this.#stored(previous));
    return next;
  }

  /** Removes an object; returns its last state with the version of the removal. */
  remove(previous: ApiObject): ApiObject {
    return this.completed(this.#ledger.removeFrom(this.#shelf, this.#stored(previous)));
  }

  follow(selection: ObjectSelection, version: number): HistoryWatch<KubernetesObject> {
    return this.#shelf.hub.follow(selection, version);
  }

  /** The oldest version from which a watch or an exact list is possible. */
  get oldestVersion(): number {
    return this.#shelf.hub.history.forgottenVersion;
  }

  /** Says that the resource exists from now on: no watch can begin before. */
  begin(): void {
    this.#shelf.hub.history.beginAt(this.#ledger.version);
  }

  /** The objects as they were at a version, in the order of their keys. */
  at(version: number, namespace: string | undefined): KubernetesObject[] {
    const { history } = this.#shelf.hub;
    const changed = new Map<string, KubernetesObject | undefined>();
    for (let i = history.end - 1; i >= history.start; i--) {
      const entry = history.at(i);
      if (entry.version <= version) break;
      const { namespace: of = '', name = '' } = entry.object.metadata ?? {};
      if (namespace === undefined || of === namespace) changed.set(`${of}/${name}`, entry.previous);
    }
    const objects = [...this.storedFrom(namespace)].filter(({ metadata }) => {
      return !changed.has(`${metadata?.namespace ?? ''}/${metadata?.name}`);
    });
    for (const previous of changed.values()) if (previous !== undefined) objects.push(previous);
    return changed.size === 0 ? objects : objects.sort(byKey);
  }

  /** The complete form of a stored object: one that was made inside of this process has not all defaults. */
  completed(object: KubernetesObject): ApiObject {
    const known = this.#complete.get(object);
    if (known !== undefined) return known;
    const complete = this.#forms.of(object);
    this.#complete.set(object, complete);
    this.#originals.set(complete, object);
    return complete;
  }

  readonly #originals = new WeakMap<ApiObject, KubernetesObject>();

  #stored(object: ApiObject): KubernetesObject {
    return this.#originals.get(object) ?? (object as unknown as KubernetesObject);
  }

  #next(object: ApiObject): ApiObject {
    const metadata = combined(object.metadata, { resourceVersion: this.#ledger.nextVersion });
    const next = this.#served.schema.ordered(combined(object, { metadata }) as ApiObject);
    Object.freeze(next.metadata);
    Object.freeze(next);
    this.#complete.set(next, next);
    this.#forms.note(next);
    return next;
  }
}

function byKey({ metadata: a }: KubernetesObject, { metadata: b }: KubernetesObject): number {
  const [aText, bText] = [`${a?.namespace ?? ''}/${a?.name}`, `${b?.namespace ?? ''}/${b?.name}`];
  if (aText === bText) return 0;
  return aText < bText ? -1 : 1;
}

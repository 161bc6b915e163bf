import type { KubernetesObject } from '../../api/meta.ts';
import { convertedTo } from '../../kinds/conversion/conversions.ts';
import { groupVersionText } from '../../kinds/object/api-resource.ts';
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import { combined } from '../../lib/combined.ts';
import { deepFrozen } from '../../lib/deep-frozen.ts';

/** A spec as it was stored. */
interface KnownSpec {
  readonly stored: JsonObject;
  /** The complete form of the spec with some node, which copies replace by their own; made when first asked for. */
  onNode: JsonObject | undefined;
}

const POD_MEMBERS: readonly string[] = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];

/**
 * Brings objects that were made inside of this process, and so may lack defaults, into the form in which the API shows
 * them, with the members in the API's order. Most of these are pods that were bound: they share their containers with
 * what the API has stored before, and many share their status, so that little of a pod is new.
 */
export class CompleteForms {
  readonly #served: ServedResource;
  readonly #head: { readonly apiVersion: string; readonly kind: string };
  readonly #isPods: boolean;
  readonly #statuses = new WeakMap<object, JsonValue>();
  /** Completed specs, by the list of containers that they were made with. */
  readonly #specs = new WeakMap<object, KnownSpec>();

  constructor(served: ServedResource) {
    const { resource } = served;
    this.#served = served;
    this.#head = { apiVersion: groupVersionText(resource), kind: resource.kind };
    this.#isPods = resource.group === '' && resource.kind === 'Pod';
  }

  of(object: KubernetesObject): ApiObject {
    const { apiVersion, kind } = this.#head;
    const isOther = object.apiVersion !== undefined && object.apiVersion !== apiVersion;
    if (isOther || this.#served.resource.isCustom) {
      const own = convertedTo(apiVersion, { ...structuredClone(object), kind } as unknown as ApiObject);
      return this.#made(JSON.parse(JSON.stringify({ ...own, apiVersion, kind })) as ApiObject);
    }
    const whole = { ...object, apiVersion, kind } as unknown as ApiObject;
    return (this.#isPods ? this.#pod(whole) : undefined) ?? this.#made(whole);
  }

  /** Notes an object that is complete as it is stored: others may share its parts. */
  note(complete: ApiObject): void {
    if (!this.#isPods) return;
    const spec = complete['spec'] as JsonObject;
    if (Array.isArray(spec?.['containers'])) this.#specs.set(spec['containers'], { stored: spec, onNode: undefined });
  }

  #made(whole: ApiObject): ApiObject {
    const { schema } = this.#served;
    const { object } = schema.decode(whole);
    schema.setDefaults(object);
    return schema.ordered(object);
  }

  /** The members of a pod get their defaults each by itself. */
  #pod(whole: ApiObject): ApiObject | undefined {
    const { metadata, spec, status } = whole;
    if (!isJsonObject(metadata) || !isJsonObject(spec) || !isJsonObject(status)) return undefined;
    for (const name in whole) if (!POD_MEMBERS.includes(name)) return undefined;
    const { schema } = this.#served;
    const { kind, apiVersion } = this.#head;
    const { object } = schema.decode({ kind, apiVersion, metadata });
    const ordered = schema.ordered({ metadata: object.metadata ?? {} });
    return { kind, apiVersion, metadata: ordered.metadata ?? {}, spec: this.#spec(spec), status: this.#status(status) };
  }

  #status(stored: JsonObject): JsonValue {
    const known = this.#statuses.get(stored);
    if (known !== undefined) return known;
    const complete = deepFrozen(this.#made(combined(this.#head, { status: stored }))['status'] ?? {});
    this.#statuses.set(stored, complete);
    return complete;
  }

  #spec(stored: JsonObject): JsonObject {
    const { containers, nodeName } = stored;
    if (!Array.isArray(containers) || typeof nodeName !== 'string' || nodeName === '') return this.#madeSpec(stored);
    let known = this.#specs.get(containers);
    if (known === undefined || !areSameButNode(known.stored, stored)) {
      known = { stored, onNode: undefined };
      this.#specs.set(containers, known);
    }
    known.onNode ??= this.#madeSpec({ ...known.stored, nodeName });
    return { ...known.onNode, nodeName };
  }

  /** No default depends on the node. What is shared is frozen, but for the outermost members, which are copied. */
  #madeSpec(stored: JsonObject): JsonObject {
    const spec = (this.#made(combined(this.#head, { spec: stored }))['spec'] ?? {}) as JsonObject;
    for (const member of Object.values(spec)) deepFrozen(member);
    return spec;
  }
}

/** Whether two specs have the same members, but for the node. */
function areSameButNode(a: JsonObject, b: JsonObject): boolean {
  let difference = 0;
  for (const name in a) {
    if (name === 'nodeName') continue;
    if (a[name] !== b[name]) return false;
    difference++;
  }
  for (const name in b) if (name !== 'nodeName') difference--;
  return difference === 0;
}

import type { KubernetesObject } from '../../api/meta.ts';
import { timeAtMillis } from '../../api/time.ts';
import { type ApiResource, kindText } from '../../kinds/object/api-resource.ts';
import type { ApiObject } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import type { Clock } from '../../lib/clock.ts';
import { combined } from '../../lib/combined.ts';
import type { Ledger, Shelf } from '../../store/ledger/ledger.ts';
import { generatedName, type NameSource } from '../../store/objects/names.ts';
import { existsAlready } from '../metadata/taken-name.ts';
import type { Storages } from '../storage/storages.ts';
import { type BodyParts, partsOfBody } from './body-parts.ts';
import { CreateTemplate } from './create-template.ts';
import { type MetadataShape, metadataShape } from './metadata-shape.ts';

/** A create, as far as what comes out of it follows from what was asked. */
export interface AskedCreate {
  readonly served: ServedResource;
  readonly namespace: string;
  readonly query: URLSearchParams;
  readonly userAgent: string | undefined;
  readonly isJson: boolean;
  readonly body: string;
}

/** A create that could have a template, taken apart. */
export interface LikeCreate extends BodyParts, MetadataShape {
  readonly asked: AskedCreate;
  /** All that must be equal besides the body. */
  readonly circumstances: string;
}

interface Known extends Pick<LikeCreate, 'before' | 'after' | 'shape' | 'circumstances'> {
  readonly template: CreateTemplate;
  /** Whether a second object, which was made in the usual way, was as the template makes it; 'no': it was not. */
  confirmed: 'unknown' | 'yes' | 'no';
  readonly surroundings: number;
}

export interface TemplateModules {
  readonly ledger: Ledger;
  readonly storages: Storages;
  readonly names: NameSource;
  readonly clock: Clock;
}

/** Controllers make many objects of these kinds that differ in names and labels, which decide nothing else. */
const TEMPLATED: ReadonlySet<string> = new Set(['Pod', 'ConfigMap', 'Secret']);
/** The resources by which admission decides about new objects of these kinds. */
const ADMISSION_READS: readonly string[] = [
  ...['namespaces', 'limitranges', 'resourcequotas', 'serviceaccounts', 'priorityclasses'],
  'runtimeclasses.node.k8s.io',
];
const KNOWN_MAX = 8;
/** A body that is longer takes long for other reasons. */
const BODY_LENGTH_MAX = 64 * 1024;

/**
 * What creates of like objects have in common: bodies that are equal but for the name and the values of labels. The
 * first is created in the usual way, and so is the second, which must be the one that the first predicts; all others
 * are made by their template, as long as what admission reads does not change. Equal parts of the objects are shared.
 */
export class CreateTemplates {
  readonly #modules: TemplateModules;
  readonly #known = new WeakMap<ServedResource, Known[]>();
  readonly #admissionReads: readonly Shelf<KubernetesObject>[];

  constructor(modules: TemplateModules) {
    this.#modules = modules;
    this.#admissionReads = ADMISSION_READS.map((name) => modules.ledger.shelf(name));
  }

  /** Takes a create apart; undefined if none like it can have a template. */
  like(asked: AskedCreate): LikeCreate | undefined {
    const { served, namespace, query, userAgent = '', isJson, body } = asked;
    if (!isJson || body.length > BODY_LENGTH_MAX || !isTemplated(served.resource)) return undefined;
    if (query.size > 0 && !isPlainQuery(query)) return undefined;
    const parts = partsOfBody(body);
    if (parts === undefined || parts.metadata.managedFields !== undefined) return undefined;
    // Pods may select others by the values of their own labels.
    if (parts.after.includes('atchLabelKeys') || parts.before.includes('atchLabelKeys')) return undefined;
    const shape = metadataShape(parts.metadata);
    if (shape === undefined) return undefined;
    const circumstances = `${namespace} ${userAgent} ${query.size > 0 ? query.toString() : ''}`;
    return combined(combined(parts, shape), { asked, circumstances });
  }

  /** Creates an object by its template; undefined if there is none. @throws StatusError AlreadyExists */
  create(like: LikeCreate): KubernetesObject | undefined {
    const known = this.#find(like);
    if (known?.confirmed !== 'yes' || known.surroundings !== this.#surroundings()) return undefined;
    const { names, clock } = this.#modules;
    const { served, namespace } = like.asked;
    const storage = this.#modules.storages.of(served);
    const uid = names.uid();
    const name = like.name ?? generatedName(like.metadata.generateName as string, names);
    const existing = storage.stored(namespace, name);
    if (existing !== undefined) throw existsAlready(served.resource, existing, name);
    const now = timeAtMillis(clock.nowMillis());
    const resourceVersion = storage.nextVersion;
    const { object, tail } = known.template.make({ name, labels: like.labels, uid, now, resourceVersion });
    return storage.insertMade(object, tail);
  }

  /** Remembers an object that was created in the usual way, without warnings. */
  learn(like: LikeCreate, created: ApiObject): void {
    const { served, namespace } = like.asked;
    // Who charges a quota changes it.
    if (!this.#modules.ledger.shelf('resourcequotas').objects.isEmpty(namespace)) return;
    const known = this.#find(like);
    const surroundings = this.#surroundings();
    if (known?.surroundings === surroundings) {
      if (known.confirmed === 'unknown') known.confirmed = known.template.makes(created) ? 'yes' : 'no';
      return;
    }
    const { before, after, shape, circumstances } = like;
    const template = new CreateTemplate(created);
    const confirmed = template.hasTimes ? 'no' : 'unknown';
    const all = (this.#known.get(served) ?? []).filter((one) => one !== known);
    all.unshift({ before, after, shape, circumstances, surroundings, template, confirmed });
    this.#known.set(served, all.slice(0, KNOWN_MAX));
  }

  #find({ asked, before, after, shape, circumstances }: LikeCreate): Known | undefined {
    for (const known of this.#known.get(asked.served) ?? []) {
      if (known.after !== after || known.shape !== shape || known.before !== before) continue;
      if (known.circumstances === circumstances) return known;
    }
    return undefined;
  }

  /** The writes to all that admission reads, counted: another number means that something may have changed. */
  #surroundings(): number {
    let writes = 0;
    for (const { hub } of this.#admissionReads) writes += hub.history.end;
    return writes;
  }
}

function isTemplated(resource: ApiResource): boolean {
  return TEMPLATED.has(kindText(resource));
}

/** Whether a query names no more than a manager, and how strictly fields are checked. */
function isPlainQuery(query: URLSearchParams): boolean {
  for (const [name, value] of query) {
    if (name !== 'fieldManager' && !(name === 'fieldValidation' && (value === 'Strict' || value === 'Warn')))
      return false;
  }
  return true;
}

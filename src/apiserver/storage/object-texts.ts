import { type ApiResource, groupVersionText } from '../../kinds/object/api-resource.ts';
import type { ApiObject } from '../../kinds/object/json.ts';

/** The characters that are kept of one resource: about as many bytes. */
const KEPT_LENGTH_MAX = 256 * 2 ** 20;

/**
 * The JSON texts of the stored objects of one resource, each made once for all gets, lists and watches that show it. An
 * object never changes, and a text is forgotten with its object. When there are too many texts, those that were not
 * asked for lately are forgotten.
 */
export class ObjectTexts {
  /** What comes before the tail in the text of an object. */
  readonly head: string;
  /** What comes before the tail in an item of a list, where objects of built-in kinds do not name their kind. */
  readonly itemHead = '{';
  /** The beginnings of texts that are no part of the tail. */
  readonly #heads: readonly string[];
  readonly #isCustom: boolean;
  readonly #lengthMax: number;
  #recent = new WeakMap<object, string>();
  #older = new WeakMap<object, string>();
  #recentLength = 0;

  constructor(resource: ApiResource, lengthMax: number = KEPT_LENGTH_MAX) {
    const [kind, version] = [resource.kind, groupVersionText(resource)].map((text) => JSON.stringify(text));
    const byKind = `{"kind":${kind},"apiVersion":${version},`;
    this.#isCustom = resource.isCustom;
    this.head = resource.isCustom ? '{' : byKind;
    this.#heads = resource.isCustom ? ['{'] : [`{"apiVersion":${version},"kind":${kind},`, byKind];
    this.#lengthMax = lengthMax;
  }

  /** The text of an object from behind its head on. `shown`: makes the object in the form in which it is shown. */
  tailOf(stored: object, shown: () => ApiObject): string {
    const recent = this.#recent.get(stored);
    if (recent !== undefined) return recent;
    const tail = this.#older.get(stored) ?? this.#tail(shown());
    this.keep(stored, tail);
    return tail;
  }

  keep(stored: object, tail: string): void {
    if (this.#recentLength > this.#lengthMax / 2) {
      this.#older = this.#recent;
      this.#recent = new WeakMap();
      this.#recentLength = 0;
    }
    this.#recent.set(stored, tail);
    this.#recentLength += tail.length;
  }

  #tail(shown: ApiObject): string {
    const text = JSON.stringify(shown);
    const head = this.#heads.find((one) => text.startsWith(one));
    if (head !== undefined) return text.slice(head.length);
    const { kind: _, apiVersion: __, ...rest } = shown;
    return JSON.stringify(this.#isCustom ? shown : rest).slice(1);
  }
}

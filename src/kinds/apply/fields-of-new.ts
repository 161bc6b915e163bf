import type { ApiObject } from '../object/json.ts';
import type { FieldSet } from './field-set.ts';

/**
 * The fields that new objects set, kept from one to the next: most objects that are created one after the other come
 * from one template, and set the same fields. The fields follow from the whole object, except for values in metadata
 * that stand for no field of their own.
 */
export class FieldsOfNew {
  #shape = '';
  #fields: FieldSet | undefined;

  of(object: ApiObject, subresource: string, compute: () => FieldSet): FieldSet {
    const shape = shapeOf(object, subresource);
    if (this.#fields === undefined || shape !== this.#shape) {
      this.#fields = compute();
      this.#shape = shape;
    }
    return this.#fields;
  }
}

/** A text that is equal for objects that set the same fields. */
function shapeOf({ metadata = {}, ...state }: ApiObject, subresource: string): string {
  const { labels, annotations, managedFields: _, ...rest } = metadata;
  // Name, uid and time belong to nobody, whatever they are.
  const others = { ...rest, name: '', uid: '', creationTimestamp: '' };
  return JSON.stringify([subresource, state, others, keysOf(labels), keysOf(annotations)]);
}

function keysOf(members: object | undefined): readonly string[] | null {
  return members === undefined || members === null ? null : Object.keys(members);
}

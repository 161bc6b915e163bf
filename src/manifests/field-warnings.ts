import { findUnknownFields } from '../api/fields/unknown-fields.ts';
import type { UnknownObject } from '../api/validation/check.ts';
import { whole } from '../lib/shown-count.ts';
import { manifestError } from './source-document.ts';

/** What happens about fields that the API does not know: refused, named in warnings, or nothing. */
export type ValidationMode = 'strict' | 'warn' | 'ignore';

const FIELDS_SHOWN = 10;

interface Seen {
  /** The first object that has the unknown field. */
  readonly title: string;
  readonly path: string;
  count: number;
}

/** Names unknown fields as kubectl's strict decoding does, one warning for the same field of all objects of a kind. */
export class FieldWarnings {
  readonly #mode: ValidationMode;
  readonly #seen = new Map<string, Seen>();

  constructor(mode: ValidationMode) {
    this.#mode = mode;
  }

  /** Returns whether all fields of the object are known. Throws at the first unknown one in mode `strict`. */
  check(kind: string, value: UnknownObject, file: string, title: string): boolean {
    if (this.#mode === 'ignore') return true;
    let isFirst: Set<string> | null = null;
    findUnknownFields(kind, value, (path) => {
      if (this.#mode === 'strict') {
        throw manifestError('InvalidObject', `${file}: ${title}: unknown field "${path}"`);
      }
      // An object with the same field in several of its list items counts once.
      const key = `${kind} ${path.replace(/\[\d+\]/g, '[]')}`;
      isFirst ??= new Set();
      if (isFirst.has(key)) return;
      isFirst.add(key);
      const seen = this.#seen.get(key);
      if (seen === undefined) this.#seen.set(key, { title, path, count: 1 });
      else seen.count++;
    });
    return isFirst === null;
  }

  texts(): string[] {
    const texts = [...this.#seen.values()].slice(0, FIELDS_SHOWN).map(({ title, path, count }) => {
      const others = count > 1 ? `, and ${whole(count - 1)} more` : '';
      return `unknown field "${path}" (${title}${others})`;
    });
    const more = this.#seen.size - FIELDS_SHOWN;
    return more > 0 ? [...texts, `${whole(more)} more unknown fields`] : texts;
  }
}

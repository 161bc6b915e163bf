import type { KubernetesObject, ObjectMeta } from '../../api/meta.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import type { Problem } from '../../api/validation/check.ts';
import { immutable } from '../../api/validation/field-error.ts';
import { valueAt } from '../ledger/field-selector.ts';
import { refuseInvalid } from '../objects/api-error.ts';
import { frozenCopy, isSame } from '../objects/frozen-copy.ts';
import { storedWithMetadata } from '../objects/metadata.ts';
import type { Resource } from '../objects/resources.ts';
import type { PropagationPolicy } from '../objects/store-client.ts';
import { identify, type Strategy, withStatus, withStatusOf } from './strategy.ts';

export interface PlainStrategyOptions<T> {
  /** The problems of an object of unknown shape. */
  readonly check: (object: T) => readonly Problem[];
  /**
   * Whether an object is valid, provided that `known` is, whose very parts it may have. Absent: all of it is checked.
   */
  readonly isChangedValid?: (object: T, known: T) => boolean;
  /** Fills in defaults, after the object was checked. */
  readonly fill?: (object: T) => T;
  /** Fills in what depends on other objects, when the object is created. */
  readonly admit?: (object: T) => T;
  /** The status of a new object; `given` keeps the one that it came with. Absent for a kind without a status. */
  readonly newStatus?: object | 'given' | undefined;
  readonly hasGeneration?: boolean;
  readonly requiresVersion?: boolean;
  readonly propagationPolicy?: PropagationPolicy;
  /** Whether the check of a status, and what is filled in, look at nothing else. */
  readonly hasPlainStatus?: boolean;
  /** Paths of fields that never change once they are set. */
  readonly immutable?: readonly string[];
}

/** A kind without rules of its own beyond these options. */
export class PlainStrategy<T extends KubernetesObject> implements Strategy<T> {
  readonly hasStatus: boolean;
  readonly hasGeneration: boolean;
  readonly requiresVersion: boolean;
  readonly propagationPolicy: PropagationPolicy;
  readonly #resource: Resource;
  readonly #options: PlainStrategyOptions<T>;
  /** The last new object. The next one often has equal parts, which are shared. */
  #last: T | undefined;
  /** The last status that was found to be valid, of any object. */
  #lastStatus: unknown;

  constructor(resource: Resource, options: PlainStrategyOptions<T>) {
    this.#resource = resource;
    this.#options = options;
    this.hasStatus = options.newStatus !== undefined;
    this.hasGeneration = options.hasGeneration ?? false;
    this.requiresVersion = options.requiresVersion ?? false;
    this.propagationPolicy = options.propagationPolicy ?? 'Background';
  }

  create(object: T, metadata: ObjectMeta): T {
    const { newStatus, fill, admit } = this.#options;
    const identified = identify(this.#resource, object, metadata);
    const like = this.#last === undefined ? { metadata } : storedWithMetadata(this.#last, metadata);
    const given = frozenCopy(typeof newStatus === 'object' ? withStatusOf(identified, newStatus) : identified, like);
    // Only a new object that equals the last one shares all of it.
    if (given === like) Object.freeze(like);
    this.#check(given, this.#last);
    this.#last = given;
    const filled = fill?.(given) ?? given;
    return frozenCopy(admit?.(filled) ?? filled, given);
  }

  update(object: T, metadata: ObjectMeta, stored: T): T {
    const identified = identify(this.#resource, object, metadata);
    // The metadata is a frozen copy already.
    const like = metadata === stored.metadata ? stored : Object.freeze(storedWithMetadata(stored, metadata));
    const given = frozenCopy(this.hasStatus ? withStatus(identified, stored) : identified, like);
    if (given === stored) return stored;
    this.#check(given, stored);
    const next = this.#filled(given, stored);
    const problems = (this.#options.immutable ?? []).flatMap((path) => {
      const before = valueAt(stored, path.split('.'));
      const after = valueAt(next, path.split('.'));
      return before === undefined || semanticallyEqual(before, after) ? [] : [immutable(path, after)];
    });
    refuseInvalid(this.#resource, next.metadata, problems);
    return next;
  }

  updateStatus(object: T, stored: T): T {
    const known = this.#options.hasPlainStatus ? this.#lastStatus : undefined;
    if (known !== undefined && isSame(statusOf(object), known)) {
      return isSame(known, statusOf(stored)) ? stored : withStatusOf(stored, known);
    }
    const given = frozenCopy(withStatus(stored, object), stored);
    this.#check(given, stored);
    this.#lastStatus = statusOf(given);
    return this.#filled(given, stored);
  }

  #filled(given: T, stored: T): T {
    const filled = this.#options.fill?.(given) ?? given;
    return filled === given ? given : frozenCopy(filled, stored);
  }

  /** @throws ApiError Invalid */
  #check(object: T, known: T | undefined): void {
    const { check, isChangedValid } = this.#options;
    if (known !== undefined && isChangedValid?.(object, known)) return;
    refuseInvalid(this.#resource, object.metadata, check(object));
  }
}

function statusOf(object: KubernetesObject): unknown {
  return (object as { readonly status?: unknown }).status;
}

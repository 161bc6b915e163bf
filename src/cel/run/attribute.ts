import { Uint } from '../values/scalars.ts';
import { CelError, isList, MapValue, Optional, type Outcome, type Value } from '../values/value.ts';
import type { Frame, Step } from './frame.ts';

interface Qualifier {
  /** The key; qualifiers that are attributes themselves cost what their own qualifiers cost. */
  readonly key: Step;
  readonly isOptional: boolean;
}

/**
 * A variable or another value, followed by selections and indices. The whole costs one, and each qualifier one, also
 * the one that fails; an optional qualifier that is absent costs nothing.
 */
export class Attribute implements Step {
  readonly #root: Step;
  readonly #qualifiers: readonly Qualifier[];
  /** A conditional costs only what its condition and the chosen branch cost. */
  readonly #ownCost: number;

  constructor(root: Step, ownCost: number, qualifiers: readonly Qualifier[] = []) {
    this.#root = root;
    this.#ownCost = ownCost;
    this.#qualifiers = qualifiers;
  }

  qualified(key: Step, isOptional: boolean): Attribute {
    const step = key instanceof Attribute ? { run: (frame: Frame) => key.resolve(frame) } : key;
    return new Attribute(this.#root, this.#ownCost, [...this.#qualifiers, { key: step, isOptional }]);
  }

  run(frame: Frame): Outcome {
    const value = this.resolve(frame);
    frame.charge(this.#ownCost);
    return value;
  }

  /** The value without the cost of the attribute itself. */
  resolve(frame: Frame): Outcome {
    let value = this.#root.run(frame);
    let isOptional = false;
    for (const qualifier of this.#qualifiers) {
      if (value instanceof CelError) return value;
      if (value instanceof Optional) {
        if (value.value === undefined) return value;
        isOptional = true;
        value = value.value;
      }
      const key = qualifier.key.run(frame);
      if (key instanceof CelError) return key;
      isOptional ||= qualifier.isOptional;
      const next = qualify(value, key, isOptional);
      if (next === undefined) return Optional.NONE;
      frame.charge(1);
      value = next;
    }
    return isOptional && !(value instanceof CelError) ? new Optional(value) : value;
  }

  /** Whether the field of the attribute's value exists. */
  test(frame: Frame, field: string): Outcome {
    const value = this.run(frame);
    if (value instanceof CelError) return value;
    const inner = value instanceof Optional ? value.value : value;
    return inner instanceof MapValue && inner.has(field);
  }
}

/** The element of a key; undefined if it is absent and may be. */
function qualify(value: Value, key: Value, isOptional: boolean): Outcome | undefined {
  if (value instanceof MapValue) {
    return value.get(key) ?? absent(isOptional, () => `no such key: ${keyText(key)}`);
  }
  if (!isList(value)) return absent(isOptional, () => `no such key: ${keyText(key)}`);
  const index = indexOf(key);
  if (index === null) return new CelError(`unsupported index type '${typeof key}' in list`);
  return value[index] === undefined ? absent(isOptional, () => `index out of bounds: ${index}`) : value[index];
}

function absent(isOptional: boolean, message: () => string): CelError | undefined {
  return isOptional ? undefined : new CelError(message());
}

function indexOf(key: Value): number | null {
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof Uint) return Number(key.value);
  return typeof key === 'number' && Number.isInteger(key) ? key : null;
}

function keyText(key: Value): string {
  return key instanceof Uint ? String(key.value) : String(key);
}

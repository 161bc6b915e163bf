import type { DeviceDescription } from '../../../api/resource-claims.ts';
import type { CompileFailure } from '../../../cel/program.ts';
import { DeviceSelector } from '../devices/selector.ts';

/** An error that ends the whole attempt. */
export class AllocationError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Compiled conditions on devices, and what they say of a device; both are asked for again and again. */
export class SelectorCache {
  readonly #hasLists: boolean;
  readonly #compiled = new Map<string, DeviceSelector | CompileFailure>();

  constructor(hasLists: boolean) {
    this.#hasLists = hasLists;
  }

  /** Returns an error text without what was asked. */
  matches(expression: string, device: DeviceDescription): boolean | AllocationError {
    let selector = this.#compiled.get(expression);
    if (selector === undefined) {
      selector = DeviceSelector.compile(expression, { hasLists: this.#hasLists });
      this.#compiled.set(expression, selector);
    }
    if (!(selector instanceof DeviceSelector)) return new AllocationError(`CEL compile error: ${selector.message}`);
    const { result, error } = selector.matches(device);
    return result ?? new AllocationError(`CEL runtime error: ${error}`);
  }
}

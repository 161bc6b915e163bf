import type { DeviceDescription } from '../../../api/resource-claims.ts';
import type { CompileFailure } from '../../../cel/program.ts';
import { combined } from '../../../lib/combined.ts';
import { DeviceSelector } from '../devices/selector.ts';
import { jsonWithIntegers } from './json-with-integers.ts';

/** An error that ends the whole attempt. */
export class AllocationError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Ends the search on one node, because it has taken too long. */
export const TIMED_OUT = new AllocationError('timed out trying to allocate devices');

/** When so many descriptions are known, all are forgotten. */
const MOST_DESCRIPTIONS = 100_000;

interface Condition {
  readonly compiled: DeviceSelector | CompileFailure;
  /** What the condition says of each description. */
  readonly answers: Map<number, boolean | AllocationError>;
}

/** Compiled conditions on devices, and what they say of each description: most devices are described alike. */
export class SelectorCache {
  readonly #hasLists: boolean;
  readonly #conditions = new Map<string, Condition>();
  /** The numbers of descriptions by their text. */
  readonly #numbers = new Map<string, number>();
  /** The numbers of the descriptions of devices, by driver. */
  #byDevice = new Map<string, WeakMap<object, number>>();

  constructor(hasLists: boolean) {
    this.#hasLists = hasLists;
  }

  /** Returns an error text without what was asked. */
  matches(expression: string, driver: string, device: Omit<DeviceDescription, 'driver'>): boolean | AllocationError {
    const number = this.#numberOf(driver, device);
    const { compiled, answers } = this.#conditionOf(expression);
    const known = answers.get(number);
    if (known !== undefined) return known;
    const answer = ask(compiled, combined(device, { driver }));
    answers.set(number, answer);
    return answer;
  }

  #conditionOf(expression: string): Condition {
    let condition = this.#conditions.get(expression);
    if (condition === undefined) {
      const compiled = DeviceSelector.compile(expression, { hasLists: this.#hasLists });
      condition = { compiled, answers: new Map() };
      this.#conditions.set(expression, condition);
    }
    return condition;
  }

  #numberOf(driver: string, device: Omit<DeviceDescription, 'driver'>): number {
    let ofDriver = this.#byDevice.get(driver);
    let number = ofDriver?.get(device);
    if (number !== undefined) return number;
    const text = textOf(driver, device);
    number = this.#numbers.get(text);
    if (number === undefined) {
      if (this.#numbers.size >= MOST_DESCRIPTIONS) this.#forgetAll();
      number = this.#numbers.size;
      this.#numbers.set(text, number);
    }
    ofDriver = this.#byDevice.get(driver);
    if (ofDriver === undefined) this.#byDevice.set(driver, new WeakMap([[device, number]]));
    else ofDriver.set(device, number);
    return number;
  }

  #forgetAll(): void {
    this.#numbers.clear();
    this.#conditions.clear();
    this.#byDevice = new Map();
  }
}

function ask(compiled: DeviceSelector | CompileFailure, device: DeviceDescription): boolean | AllocationError {
  if (!(compiled instanceof DeviceSelector)) return new AllocationError(`CEL compile error: ${compiled.message}`);
  const { result, error } = compiled.matches(device);
  return result ?? new AllocationError(`CEL runtime error: ${error}`);
}

/** All that conditions can see, as text. */
function textOf(driver: string, device: Omit<DeviceDescription, 'driver'>): string {
  const { attributes, capacity, allowMultipleAllocations } = device;
  return jsonWithIntegers([driver, attributes, capacity, allowMultipleAllocations]);
}

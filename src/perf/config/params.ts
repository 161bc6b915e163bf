import { parseDuration } from '../../lib/go-duration.ts';
import type { ParamValue } from './operations.ts';
import { PerfError } from './perf-error.ts';

const NANOS_PER_MILLI = 1e6;

/** The parameters of one workload. It records which were read, since an unused parameter is probably a mistake. */
export class Params {
  readonly #title: string;
  readonly #values: ReadonlyMap<string, ParamValue>;
  readonly #used = new Set<string>();

  /** `title`: file and workload, for messages. */
  constructor(values: ReadonlyMap<string, ParamValue>, title: string) {
    this.#values = values;
    this.#title = title;
  }

  /** The number that `$name` stands for; fractions are cut off. @throws PerfError */
  count(reference: string): number {
    const value = this.value(reference);
    if (typeof value !== 'number') throw this.#wrongType(reference, 'a number', value);
    if (!(value >= 0)) throw this.#wrongType(reference, 'a number >= 0', value);
    return Math.trunc(value);
  }

  flag(reference: string): boolean {
    const value = this.value(reference);
    if (typeof value !== 'boolean') throw this.#wrongType(reference, 'true or false', value);
    return value;
  }

  /** The duration that `$name` stands for, from a text such as `10s`. */
  durationMillis(reference: string): number {
    const value = this.value(reference);
    const nanos = typeof value === 'string' ? parseDuration(value) : undefined;
    if (typeof nanos !== 'bigint') throw this.#wrongType(reference, 'a duration such as "10s"', value);
    return Number(nanos) / NANOS_PER_MILLI;
  }

  /** The number that `$name` stands for; undefined if there is no such parameter. @throws PerfError */
  optionalCount(reference: string): number | undefined {
    return this.#values.has(reference.slice(1)) ? this.count(reference) : undefined;
  }

  value(reference: string): ParamValue {
    const name = reference.slice(1);
    this.#used.add(name);
    const value = this.#values.get(name);
    if (value === undefined) throw this.#error(`parameter ${name} is not defined`);
    return value;
  }

  /** @throws PerfError when a parameter was never read */
  checkUnused(): void {
    const unused = [...this.#values.keys()].filter((name) => !this.#used.has(name));
    if (unused.length > 0) throw this.#error(`parameters that no operation uses: ${unused.join(', ')}`);
  }

  #wrongType(reference: string, wanted: string, value: ParamValue): PerfError {
    return this.#error(`parameter ${reference.slice(1)}: expected ${wanted}, got ${JSON.stringify(value)}`);
  }

  #error(reason: string): PerfError {
    return new PerfError('InvalidPerfConfig', `${this.#title}: ${reason}`);
  }
}

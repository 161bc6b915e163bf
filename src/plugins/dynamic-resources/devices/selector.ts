import type { DeviceDescription } from '../../../api/resource-claims.ts';
import { compileDeviceCondition } from '../../../cel/device-condition.ts';
import type { CompileFailure, Program } from '../../../cel/program.ts';
import { typeText } from '../../../cel/values/types.ts';
import { CelError, isList, MapValue, type Outcome, runtimeType, type Value } from '../../../cel/values/value.ts';
import { deviceValue } from './device-value.ts';

/** The API server's and the scheduler's limit of an evaluation. */
const COST_LIMIT = 1_000_000;

/** The options of a selector of devices. */
export interface SelectorOptions {
  /** Whether attributes may be lists: the feature gate DRAListTypeAttributes, which is off by default. */
  readonly hasLists?: boolean;
}

/** What a selector says of a device. An error ends the whole attempt to place the pod. */
export interface Match {
  /** Absent if there is an error. */
  readonly result: boolean | undefined;
  readonly error: string | undefined;
  /** What the evaluation cost, in upstream's units. */
  readonly cost: number;
}

/** A condition on a device. */
export class DeviceSelector {
  readonly #program: Program;
  readonly #hasLists: boolean;

  private constructor(program: Program, hasLists: boolean) {
    this.#program = program;
    this.#hasLists = hasLists;
  }

  /** Compiles a condition, as one that is stored; returns why it cannot be used otherwise. */
  static compile(expression: string, { hasLists = false }: SelectorOptions = {}): DeviceSelector | CompileFailure {
    const program = compileDeviceCondition(expression, hasLists);
    return 'kind' in program ? program : new DeviceSelector(program, hasLists);
  }

  /** The type of the condition: `bool`, or one that says nothing. */
  get type(): string {
    return typeText(this.#program.type);
  }

  /** The cost in the worst case; the API server refuses conditions above a million. */
  get maxCost(): bigint {
    return this.#program.maxCost;
  }

  matches(device: DeviceDescription): Match {
    const value = deviceValue(device, this.#hasLists);
    if (value instanceof CelError) return { result: undefined, error: value.message, cost: 0 };
    const { value: outcome, cost } = this.#program.evaluate(new Map([['device', value]]), COST_LIMIT);
    if (typeof outcome === 'boolean') return { result: outcome, error: undefined, cost };
    return { result: undefined, error: errorOf(outcome), cost };
  }
}

function errorOf(outcome: Exclude<Outcome, boolean>): string {
  if (outcome instanceof CelError) return outcome.message;
  const { name } = runtimeType(outcome);
  return `CEL result of type ${name} could not be converted to bool: ${refusal(outcome, name)}`;
}

/** What each Go type says that is asked for a bool. */
function refusal(value: Value, name: string): string {
  if (typeof value === 'string') return `unsupported native conversion from string to 'bool'`;
  if (typeof value === 'bigint') return `unsupported type conversion from 'int' to bool`;
  if (isList(value) || value instanceof MapValue) return `type conversion error from ${name} to 'bool'`;
  return `type conversion error from '${name}' to 'bool'`;
}

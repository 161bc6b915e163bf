import { kubernetesEnvironment } from '../../../cel/kubernetes-environment.ts';
import { QUANTITY } from '../../../cel/library/quantities.ts';
import { type CompileFailure, compile, condition, type Program } from '../../../cel/program.ts';
import { fixed, type SizeEstimate, UNKNOWN } from '../../../cel/values/estimates.ts';
import { ANY, BOOL, type CelType, DYN, mapOf, objectType, STRING, typeText } from '../../../cel/values/types.ts';
import { CelError, isList, MapValue, type Outcome, runtimeType, type Value } from '../../../cel/values/value.ts';
import { type DeviceDescription, deviceValue } from './device-value.ts';

/** The API server's and the scheduler's limit of an evaluation. */
const COST_LIMIT = 1_000_000;

/** The largest parts of a device that the API accepts. */
const MOST_ATTRIBUTES = 32;
const LONGEST_VALUE = 64;
const LONGEST_DOMAIN = 63;
const LONGEST_NAME = 32;
const LONGEST_DRIVER = 63;

const DEVICE = objectType('kubernetes.DRADevice');

/** The most characters or entries of what a path from `device` leads to. */
function sizeOf(path: readonly string[]): SizeEstimate | null {
  const [root, field, domain, name, ...rest] = path;
  if (root !== 'device' || field === undefined) return null;
  if (field === 'driver') return domain === undefined ? upTo(LONGEST_DRIVER) : null;
  if (field !== 'attributes' && field !== 'capacity') return UNKNOWN;
  if (domain === undefined) return upTo(MOST_ATTRIBUTES);
  if (domain === '@keys') return upTo(LONGEST_DOMAIN);
  if (name === undefined) return upTo(MOST_ATTRIBUTES);
  if (name === '@keys') return upTo(LONGEST_NAME);
  if (rest.length > 0) return null;
  if (field === 'attributes') return upTo(LONGEST_VALUE);
  return name === '@values' ? upTo(0) : null;
}

function upTo(most: number): SizeEstimate {
  return { min: 0n, max: fixed(most).max };
}

function environmentOf(attribute: CelType) {
  const fields = new Map<string, CelType>([
    ['driver', STRING],
    ['attributes', mapOf(STRING, mapOf(STRING, attribute))],
    ['capacity', mapOf(STRING, mapOf(STRING, QUANTITY))],
    ['allowMultipleAllocations', BOOL],
  ]);
  return kubernetesEnvironment({
    variables: new Map([['device', DEVICE]]),
    fields: new Map([[DEVICE.name, fields]]),
    sizeOf,
  });
}

const ENVIRONMENTS = { single: environmentOf(ANY), list: environmentOf(DYN) };

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
    const program = compile(expression, hasLists ? ENVIRONMENTS.list : ENVIRONMENTS.single, condition);
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

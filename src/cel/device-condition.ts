import { kubernetesEnvironment } from './kubernetes-environment.ts';
import { QUANTITY } from './library/quantities.ts';
import { type CompileFailure, compile, condition, type Program } from './program.ts';
import { fixed, type SizeEstimate, UNKNOWN } from './values/estimates.ts';
import { ANY, BOOL, type CelType, DYN, mapOf, objectType, STRING } from './values/types.ts';

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

/**
 * Compiles a condition on a device, which is the variable `device`; returns why it cannot be used otherwise.
 * `hasLists`: attributes may be lists.
 */
export function compileDeviceCondition(expression: string, hasLists = false): Program | CompileFailure {
  return compile(expression, hasLists ? ENVIRONMENTS.list : ENVIRONMENTS.single, condition);
}

import { CelType } from '../values/types.ts';

/** What type parameters stand for, by their names. A failed attempt to match leaves its copy behind. */
export type Bindings = Map<string, CelType>;

/** Whether values of the second type can be used where the first is wanted; binds type parameters on the way. */
export function isAssignable(bindings: Bindings, wanted: CelType, given: CelType): boolean {
  const copy = new Map(bindings);
  if (!matches(copy, wanted, given)) return false;
  replaceBindings(bindings, copy);
  return true;
}

export function areAssignable(bindings: Bindings, wanted: readonly CelType[], given: readonly CelType[]): boolean {
  if (wanted.length !== given.length) return false;
  const copy = new Map(bindings);
  if (!wanted.every((type, i) => matches(copy, type, given[i] as CelType))) return false;
  replaceBindings(bindings, copy);
  return true;
}

function replaceBindings(bindings: Bindings, by: Bindings): void {
  for (const [name, type] of by) bindings.set(name, type);
}

function matches(bindings: Bindings, wanted: CelType, given: CelType): boolean {
  const left = resolved(bindings, wanted);
  const right = resolved(bindings, given);
  if (left.kind === 'typeParam' && right.kind === 'typeParam' && left.name === right.name) return true;
  if (left.kind === 'typeParam') return bind(bindings, left, right);
  if (right.kind === 'typeParam') return bind(bindings, right, left);
  if (!matchResolved(bindings, left, right)) return false;
  // A parameter that stands for two types stands for the more general of them.
  for (const parameter of [wanted, given]) {
    if (parameter.kind === 'typeParam') bind(bindings, parameter, mostGeneral(left, right));
  }
  return true;
}

function matchResolved(bindings: Bindings, left: CelType, right: CelType): boolean {
  if (isWildcard(left) || isWildcard(right)) return true;
  if (left.kind === 'null' || right.kind === 'null') return nullMatches(left, right);
  if (left.kind !== right.kind || left.name !== right.name) return false;
  if (left.kind === 'type') return true;
  if (left.parameters.length !== right.parameters.length) return false;
  return left.parameters.every((type, i) => matches(bindings, type, right.parameters[i] as CelType));
}

/** Null may stand for objects, and for times, as for messages of protocol buffers. */
function nullMatches(left: CelType, right: CelType): boolean {
  const other = left.kind === 'null' ? right : left;
  return ['null', 'object', 'timestamp', 'duration', 'opaque'].includes(other.kind);
}

function bind(bindings: Bindings, parameter: CelType, type: CelType): boolean {
  if (mentions(bindings, type, parameter)) return false;
  bindings.set(parameter.name, type);
  return true;
}

function mentions(bindings: Bindings, type: CelType, parameter: CelType): boolean {
  const actual = resolved(bindings, type);
  if (actual.kind === 'typeParam') return actual.name === parameter.name;
  return actual.parameters.some((inner) => mentions(bindings, inner, parameter));
}

function resolved(bindings: Bindings, type: CelType): CelType {
  let actual = type;
  while (actual.kind === 'typeParam') {
    const bound = bindings.get(actual.name);
    if (bound === undefined) return actual;
    actual = bound;
  }
  return actual;
}

/** Whether the type says nothing about its values. */
export function isWildcard({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'any' || kind === 'error';
}

/** Replaces type parameters by what they stand for; those that are free become `free`, or stay if it is null. */
export function substitute(bindings: Bindings, type: CelType, free: CelType | null): CelType {
  const actual = resolved(bindings, type);
  if (actual.kind === 'typeParam') return free ?? actual;
  if (actual.parameters.length === 0) return actual;
  const parameters = actual.parameters.map((inner) => substitute(bindings, inner, free));
  return new CelType(actual.kind, actual.name, parameters);
}

/** The more general of two types of which each can stand for the other. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isEqualOrLessSpecific(a, b) ? a : b;
}

function isEqualOrLessSpecific(a: CelType, b: CelType): boolean {
  if (isWildcard(a) || a.kind === 'typeParam') return true;
  if (isWildcard(b) || b.kind === 'typeParam') return false;
  if (a.kind !== b.kind || a.parameters.length !== b.parameters.length) return false;
  if (a.parameters.length === 0) return a.name === b.name;
  return a.parameters.every((inner, i) => isEqualOrLessSpecific(inner, b.parameters[i] as CelType));
}

export function isSameType(a: CelType, b: CelType): boolean {
  if (a.kind !== b.kind || a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((inner, i) => isSameType(inner, b.parameters[i] as CelType));
}

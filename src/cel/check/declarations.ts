import type { SizeEstimate } from '../values/estimates.ts';
import type { CelType } from '../values/types.ts';
import type { Outcome, Value } from '../values/value.ts';

/** The implementation of an overload; arguments are never errors, and the target is the first of them. */
export type Implementation = (...args: Value[]) => Outcome;

/** One signature of a function. */
export interface Overload {
  /** The name in cel-go; '' where no cost depends on it. */
  readonly id: string;
  readonly isMember: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** Absent for functions that are only declared, and for those whose function has one implementation for all. */
  readonly run?: Implementation;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /**
   * One implementation for all overloads, as operators have. It sees arguments of any type; functions without it
   * choose an overload by the types of the values when the checker could not.
   */
  readonly run?: Implementation;
}

/** Names and types that an expression may use. */
export interface Environment {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly variables: ReadonlyMap<string, CelType>;
  /** Fields of object types by the name of the type. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, CelType>>;
  /** Types whose names are identifiers. */
  readonly types: ReadonlyMap<string, CelType>;
  /** The most elements or characters of what a path leads to, such as `device.attributes.@values`; null if unknown. */
  readonly sizeOf: (path: readonly string[]) => SizeEstimate | null;
}

export function functionOf(name: string, ...overloads: Overload[]): FunctionDeclaration {
  return { name, overloads };
}

export function member(id: string, args: CelType[], result: CelType, run?: Implementation): Overload {
  return run === undefined ? { id, isMember: true, args, result } : { id, isMember: true, args, result, run };
}

export function global(id: string, args: CelType[], result: CelType, run?: Implementation): Overload {
  return run === undefined ? { id, isMember: false, args, result } : { id, isMember: false, args, result, run };
}

/** Joins libraries: overloads of functions of one name come together, in the order of the libraries. */
export function mergeFunctions(...libraries: (readonly FunctionDeclaration[])[]): Map<string, FunctionDeclaration> {
  const merged = new Map<string, FunctionDeclaration>();
  for (const declaration of libraries.flat()) {
    const known = merged.get(declaration.name);
    merged.set(
      declaration.name,
      known === undefined ? declaration : { ...known, overloads: [...known.overloads, ...declaration.overloads] },
    );
  }
  return merged;
}

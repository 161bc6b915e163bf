import type { Call, Comprehension, Expression, Selection } from '../syntax/expression.ts';
import { qualifiedName } from '../syntax/expression.ts';
import type { Issue } from '../syntax/source-text.ts';
import {
  BOOL,
  type CelType,
  DYN,
  ERROR,
  formatType,
  INT,
  listOf,
  mapOf,
  optionalOf,
  typeOf,
  typeParameter,
} from '../values/types.ts';
import { runtimeType } from '../values/value.ts';
import { areAssignable, type Bindings, isAssignable, isWildcard, mostGeneral, substitute } from './assignability.ts';
import type { Environment, FunctionDeclaration, Overload } from './declarations.ts';

/** What the checker finds out about the expressions of a tree. */
export interface Checked {
  readonly expression: Expression;
  readonly types: ReadonlyMap<Expression, CelType>;
  /** The overloads that calls may mean, and the function they belong to. */
  readonly calls: ReadonlyMap<Expression, ResolvedCall>;
  /** Identifiers and selections that name a type. */
  readonly typeNames: ReadonlyMap<Expression, CelType>;
}

export interface ResolvedCall {
  readonly declaration: FunctionDeclaration;
  readonly overloads: readonly Overload[];
  /** Whether the target is a value; otherwise it is a part of the function's name. */
  readonly isMember: boolean;
}

/** Finds the type of every part of an expression, by the rules of CEL; mistakes are added to `issues`. */
export function check(expression: Expression, environment: Environment, issues: Issue[]): Checked {
  const checker = new Checker(environment, issues);
  checker.check(expression);
  return checker.checked(expression);
}

class Checker {
  readonly #environment: Environment;
  readonly #issues: Issue[];
  readonly #types = new Map<Expression, CelType>();
  readonly #calls = new Map<Expression, ResolvedCall>();
  readonly #typeNames = new Map<Expression, CelType>();
  readonly #bindings: Bindings = new Map();
  #scopes: ReadonlyMap<string, CelType>[] = [];
  #parameters = 0;

  constructor(environment: Environment, issues: Issue[]) {
    this.#environment = environment;
    this.#issues = issues;
  }

  checked(expression: Expression): Checked {
    const types = new Map([...this.#types].map(([e, type]) => [e, substitute(this.#bindings, type, DYN)]));
    return { expression, types, calls: this.#calls, typeNames: this.#typeNames };
  }

  check(expression: Expression): CelType {
    const type = this.#typeOf(expression);
    this.#types.set(expression, type);
    return type;
  }

  #typeOf(expression: Expression): CelType {
    switch (expression.kind) {
      case 'literal':
        return runtimeType(expression.value);
      case 'identifier':
        return this.#named(expression, expression.name) ?? this.#undeclared(expression.at, expression.name);
      case 'selection':
        return this.#selection(expression);
      case 'call':
        return this.#call(expression);
      case 'list': {
        const elements = expression.elements.map((element, i) =>
          this.#unwrapped(element, this.check(element), expression.optional.has(i)),
        );
        return listOf(this.#joined(elements));
      }
      case 'map': {
        const keys = expression.entries.map(({ key }) => this.check(key));
        const values = expression.entries.map(({ value, isOptional }) =>
          this.#unwrapped(value, this.check(value), isOptional),
        );
        return mapOf(this.#joined(keys), this.#joined(values));
      }
      case 'struct':
        for (const value of expression.values) this.check(value);
        return this.#undeclared(expression.at, expression.name);
      case 'comprehension':
        return this.#comprehension(expression);
    }
  }

  /** The type of what a name stands for: a variable, or a type itself. */
  #named(expression: Expression, written: string): CelType | null {
    const name = written.startsWith('.') ? written.slice(1) : written;
    if (!written.startsWith('.')) {
      for (const scope of this.#scopes) {
        const type = scope.get(name);
        if (type !== undefined) return type;
      }
    }
    const variable = this.#environment.variables.get(name);
    if (variable !== undefined) return variable;
    const type = this.#environment.types.get(name);
    if (type === undefined) return null;
    this.#typeNames.set(expression, type);
    return typeOf(type);
  }

  #selection(selection: Selection): CelType {
    const name = qualifiedName(selection);
    const root = name === null ? undefined : name.split('.')[0];
    const isLocal = root !== undefined && this.#scopes.some((scope) => scope.has(root));
    const named = name === null || isLocal ? null : this.#named(selection, name);
    if (named !== null) return named;
    const type = this.#fieldType(selection.at, this.check(selection.operand), selection.field, false);
    return selection.isTest ? BOOL : type;
  }

  #fieldType(at: number, operand: CelType, field: string, isOptional: boolean): CelType {
    const target = substitute(this.#bindings, operand, null);
    if (target.kind === 'opaque' && target.name === 'optional_type') {
      const inner = this.#fieldType(at, target.parameters[0] as CelType, field, isOptional);
      return optionalOf(inner);
    }
    if (target.kind === 'map') return target.parameters[1] as CelType;
    if (target.kind === 'object') {
      const type = this.#environment.fields.get(target.name)?.get(field);
      return type ?? this.#report(at, `undefined field '${field}'`);
    }
    if (isWildcard(target) || target.kind === 'typeParam') return DYN;
    if (isOptional) return DYN;
    return this.#report(at, `type '${formatType(target)}' does not support field selection`);
  }

  #call(call: Call): CelType {
    if (call.function === '_?._') return this.#optionalSelection(call);
    const args = call.args.map((argument) => this.check(argument));
    const { target } = call;
    if (target === null) return this.#globalCall(call, call.function, args);
    const qualifier = qualifiedName(target);
    if (qualifier !== null) {
      const declaration = this.#environment.functions.get(`${qualifier}.${call.function}`);
      if (declaration !== undefined) return this.#resolve(call, declaration, args, false);
    }
    const targetType = this.check(target);
    const declaration = this.#environment.functions.get(call.function);
    if (declaration === undefined) return this.#undeclared(call.at, call.function);
    return this.#resolve(call, declaration, [targetType, ...args], true);
  }

  #globalCall(call: Call, written: string, args: CelType[]): CelType {
    const name = written.startsWith('.') ? written.slice(1) : written;
    const declaration = this.#environment.functions.get(name);
    return declaration === undefined ? this.#undeclared(call.at, name) : this.#resolve(call, declaration, args, false);
  }

  #optionalSelection(call: Call): CelType {
    const [operand, field] = call.args as [Expression, Expression];
    const name = field.kind === 'literal' ? String(field.value) : '';
    const operandType = this.check(operand);
    this.check(field);
    const type = this.#fieldType(call.at, operandType, name, true);
    return type.kind === 'opaque' && type.name === 'optional_type' ? type : optionalOf(type);
  }

  #resolve(call: Call, declaration: FunctionDeclaration, args: CelType[], isMember: boolean): CelType {
    const overloads: Overload[] = [];
    let result: CelType | null = null;
    for (const overload of declaration.overloads) {
      if (overload.isMember !== isMember) continue;
      const { args: wanted, result: given } = this.#instance(overload);
      if (!areAssignable(this.#bindings, wanted, args)) continue;
      overloads.push(overload);
      const type = substitute(this.#bindings, given, null);
      result = result === null || sameText(result, type) ? type : DYN;
    }
    if (result === null) return this.#noOverload(call.at, declaration.name, args, isMember);
    this.#calls.set(call, { declaration, overloads, isMember });
    return result;
  }

  /** The overload with type parameters of its own. */
  #instance({ args, result }: Overload): { args: CelType[]; result: CelType } {
    const fresh: Bindings = new Map();
    const rename = (type: CelType): void => {
      if (type.kind === 'typeParam' && !fresh.has(type.name)) fresh.set(type.name, this.#newParameter());
      type.parameters.forEach(rename);
    };
    [...args, result].forEach(rename);
    return { args: args.map((type) => substitute(fresh, type, null)), result: substitute(fresh, result, null) };
  }

  #comprehension(comprehension: Comprehension): CelType {
    const { range, initial, variable, secondVariable, accumulator } = comprehension;
    const rangeType = substitute(this.#bindings, this.check(range), null);
    const initialType = this.check(initial);
    const [first, second] = this.#elementTypes(range, rangeType, secondVariable !== null);
    const outer = this.#scopes;
    this.#scopes = [new Map([[accumulator, initialType]]), ...outer];
    const inner = new Map([[variable, first]]);
    if (secondVariable !== null) inner.set(secondVariable, second);
    const accumulated = this.#scopes;
    this.#scopes = [inner, ...accumulated];
    this.#require(comprehension.condition, BOOL);
    this.#require(comprehension.step, initialType);
    this.#scopes = accumulated;
    const result = this.check(comprehension.result);
    this.#scopes = outer;
    return substitute(this.#bindings, result, null);
  }

  #elementTypes(range: Expression, type: CelType, hasTwo: boolean): [CelType, CelType] {
    const [first = DYN, second = DYN] = type.parameters;
    switch (type.kind) {
      case 'list':
        return hasTwo ? [INT, first] : [first, first];
      case 'map':
        return [first, second];
      case 'dyn':
      case 'error':
        return [DYN, DYN];
      case 'typeParam':
        isAssignable(this.#bindings, type, DYN);
        return [DYN, DYN];
      default:
        this.#report(
          range.at,
          `expression of type '${formatType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [ERROR, ERROR];
    }
  }

  #require(expression: Expression, wanted: CelType): void {
    const given = this.check(expression);
    if (!isAssignable(this.#bindings, wanted, given)) {
      const [expected, found] = [wanted, given].map((type) => formatType(substitute(this.#bindings, type, null)));
      this.#report(expression.at, `expected type '${expected}' but found '${found}'`);
    }
  }

  #unwrapped(expression: Expression, type: CelType, isOptional: boolean): CelType {
    if (!isOptional) return type;
    const actual = substitute(this.#bindings, type, null);
    if (actual.kind === 'opaque' && actual.name === 'optional_type') return actual.parameters[0] as CelType;
    if (isWildcard(actual)) return DYN;
    return this.#report(expression.at, `expected type 'optional_type(dyn)' but found '${formatType(actual)}'`);
  }

  /** The type of elements that may have several: the most general, or `dyn` where none fits. */
  #joined(types: readonly CelType[]): CelType {
    let joined: CelType | null = null;
    for (const type of types) {
      if (joined === null) joined = type;
      else if (isAssignable(this.#bindings, joined, type)) joined = mostGeneral(joined, type);
      else joined = DYN;
    }
    return joined ?? this.#newParameter();
  }

  #newParameter(): CelType {
    return typeParameter(`_var${this.#parameters++}`);
  }

  #noOverload(at: number, name: string, args: readonly CelType[], isMember: boolean): CelType {
    const texts = args.map((type) => formatType(substitute(this.#bindings, type, DYN)));
    const [target, ...rest] = texts;
    const signature = isMember ? `${target}.(${rest.join(', ')})` : `(${texts.join(', ')})`;
    return this.#report(at, `found no matching overload for '${name}' applied to '${signature}'`);
  }

  #undeclared(at: number, name: string): CelType {
    return this.#report(at, `undeclared reference to '${name}' (in container '')`);
  }

  #report(at: number, message: string): CelType {
    this.#issues.push({ at, message });
    return ERROR;
  }
}

function sameText(a: CelType, b: CelType): boolean {
  return formatType(a) === formatType(b);
}

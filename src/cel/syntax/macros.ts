import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  call,
  type Expression,
  identifier,
  list,
  literal,
  UNUSED,
} from './expression.ts';

type Report = (at: number, message: string) => void;
type Macro = (expression: Call, report: Report) => Expression;

/** What the macro `sortBy` calls. */
export const SORT_BY = '@sortByAssociatedKeys';
const SORTED = '@__sortBy_input__';

/**
 * The macros of the standard, of bindings, of optionals and of two variables, by name, call style and number of
 * arguments.
 */
const MACROS: Readonly<Record<string, Macro>> = {
  'has/1': has,
  '.all/2': (e, report) => fold(e, 1, report, all),
  '.all/3': (e, report) => fold(e, 2, report, all),
  '.exists/2': (e, report) => fold(e, 1, report, exists),
  '.exists/3': (e, report) => fold(e, 2, report, exists),
  '.exists_one/2': (e, report) => fold(e, 1, report, existsOne),
  '.existsOne/2': (e, report) => fold(e, 1, report, existsOne),
  '.exists_one/3': (e, report) => fold(e, 2, report, existsOne),
  '.existsOne/3': (e, report) => fold(e, 2, report, existsOne),
  '.filter/2': (e, report) => fold(e, 1, report, (f) => collect(f, f.args[0], f.variable)),
  '.map/2': (e, report) => fold(e, 1, report, (f) => collect(f, undefined, f.args[0])),
  '.map/3': (e, report) => fold(e, 1, report, (f) => collect(f, f.args[0], f.args[1])),
  '.transformList/3': (e, report) => fold(e, 2, report, (f) => collect(f, undefined, f.args[0])),
  '.transformList/4': (e, report) => fold(e, 2, report, (f) => collect(f, f.args[0], f.args[1])),
  '.transformMap/3': (e, report) => fold(e, 2, report, (f) => collectEntries(f, undefined, f.args[0], true)),
  '.transformMap/4': (e, report) => fold(e, 2, report, (f) => collectEntries(f, f.args[0], f.args[1], true)),
  '.transformMapEntry/3': (e, report) => fold(e, 2, report, (f) => collectEntries(f, undefined, f.args[0], false)),
  '.transformMapEntry/4': (e, report) => fold(e, 2, report, (f) => collectEntries(f, f.args[0], f.args[1], false)),
  '.bind/3': bind,
  '.sortBy/2': sortBy,
  '.optMap/2': (e, report) => optional(e, report, (at, body) => call(at, 'optional.of', body)),
  '.optFlatMap/2': (e, report) => optional(e, report, (_, body) => body),
};

/** Expands the call if it is one of a macro. */
export function expandMacro(expression: Call, report: Report): Expression {
  const { function: name, target, args } = expression;
  const macro = MACROS[`${target === null ? '' : '.'}${name}/${args.length}`];
  return macro === undefined ? expression : macro(expression, report);
}

function has(expression: Call, report: Report): Expression {
  const [argument] = expression.args;
  if (argument?.kind === 'selection') return { ...argument, isTest: true };
  report(argument?.at ?? expression.at, 'invalid argument to has() macro');
  return expression;
}

/** What a macro over elements is made of: the arguments behind the variables, and the first variable's name. */
interface Parts {
  readonly at: number;
  readonly args: readonly (Expression | undefined)[];
  readonly variable: Expression;
  readonly key: Expression;
}

type Steps = Pick<Comprehension, 'initial' | 'condition' | 'step' | 'result'>;

function fold(expression: Call, variables: 1 | 2, report: Report, steps: (parts: Parts) => Steps): Expression {
  const { at, target, args } = expression;
  const names: string[] = [];
  for (const argument of args.slice(0, variables)) {
    if (argument.kind !== 'identifier') {
      report(argument.at, 'argument must be a simple name');
      return expression;
    }
    if (argument.name === ACCUMULATOR || argument.name === '__result__') {
      report(argument.at, 'iteration variable overwrites accumulator variable');
      return expression;
    }
    names.push(argument.name);
  }
  const [first = '', second = null] = names;
  const parts: Parts = {
    at,
    args: args.slice(variables),
    variable: identifier(at, second ?? first),
    key: identifier(at, first),
  };
  const range = target as Expression;
  const base = { kind: 'comprehension', at, variable: first, secondVariable: second, range } as const;
  return { ...base, accumulator: ACCUMULATOR, ...steps(parts) };
}

function all({ at, args: [predicate] }: Parts): Steps {
  return {
    initial: literal(at, true),
    condition: call(at, '@not_strictly_false', identifier(at, ACCUMULATOR)),
    step: call(at, '_&&_', identifier(at, ACCUMULATOR), predicate as Expression),
    result: identifier(at, ACCUMULATOR),
  };
}

function exists({ at, args: [predicate] }: Parts): Steps {
  return {
    initial: literal(at, false),
    condition: call(at, '@not_strictly_false', call(at, '!_', identifier(at, ACCUMULATOR))),
    step: call(at, '_||_', identifier(at, ACCUMULATOR), predicate as Expression),
    result: identifier(at, ACCUMULATOR),
  };
}

function existsOne({ at, args: [predicate] }: Parts): Steps {
  const accumulator = identifier(at, ACCUMULATOR);
  return {
    initial: literal(at, 0n),
    condition: literal(at, true),
    step: call(at, '_?_:_', predicate as Expression, call(at, '_+_', accumulator, literal(at, 1n)), accumulator),
    result: call(at, '_==_', accumulator, literal(at, 1n)),
  };
}

function collect({ at }: Parts, filter: Expression | undefined, element: Expression | undefined): Steps {
  const accumulator = identifier(at, ACCUMULATOR);
  const appended = call(at, '_+_', accumulator, list(at, element as Expression));
  return {
    initial: list(at),
    condition: literal(at, true),
    step: filter === undefined ? appended : call(at, '_?_:_', filter, appended, accumulator),
    result: accumulator,
  };
}

function collectEntries(
  { at, key }: Parts,
  filter: Expression | undefined,
  value: Expression | undefined,
  hasKey: boolean,
): Steps {
  const accumulator = identifier(at, ACCUMULATOR);
  const inserted = hasKey
    ? call(at, 'cel.@mapInsert', accumulator, key, value as Expression)
    : call(at, 'cel.@mapInsert', accumulator, value as Expression);
  return {
    initial: { kind: 'map', at, entries: [] },
    condition: literal(at, true),
    step: filter === undefined ? inserted : call(at, '_?_:_', filter, inserted, accumulator),
    result: accumulator,
  };
}

/** The list is bound, so that it is evaluated once for its elements and for their keys. */
function sortBy(expression: Call, report: Report): Expression {
  const { at, args } = expression;
  const target = expression.target as Expression;
  if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
    const kinds = 'a list, identifier, comprehension, call or select expression';
    report(target.at, `sortBy can only be applied to ${kinds}`);
    return expression;
  }
  const input = identifier(at, SORTED);
  const map: Call = { kind: 'call', at, function: 'map', target: input, args };
  const keys = fold(map, 1, report, (f) => collect(f, undefined, f.args[0]));
  if (keys === map) return expression;
  return binding(at, SORTED, target, { kind: 'call', at, function: SORT_BY, target: input, args: [keys] });
}

function bind(expression: Call, report: Report): Expression {
  const { at, target, args } = expression;
  const [variable, value, body] = args as [Expression, Expression, Expression];
  if (target?.kind !== 'identifier' || target.name !== 'cel') return expression;
  if (variable.kind === 'identifier') return binding(at, variable.name, value, body);
  report(variable.at, 'cel.bind() variable names must be simple identifiers');
  return expression;
}

function binding(at: number, name: string, value: Expression, body: Expression): Comprehension {
  return {
    kind: 'comprehension',
    at,
    variable: UNUSED,
    secondVariable: null,
    range: list(at),
    accumulator: name,
    initial: value,
    condition: literal(at, false),
    step: identifier(at, name),
    result: body,
  };
}

function optional(expression: Call, report: Report, wrap: (at: number, body: Expression) => Expression): Expression {
  const { at, args, function: name } = expression;
  const target = expression.target as Expression;
  const [variable, body] = args as [Expression, Expression];
  if (variable.kind !== 'identifier') {
    report(variable.at, `${name}() variable name must be a simple identifier`);
    return expression;
  }
  const has: Call = { kind: 'call', at, function: 'hasValue', target, args: [] };
  const value: Call = { kind: 'call', at, function: 'value', target, args: [] };
  const bound = binding(at, variable.name, value, body);
  return call(at, '_?_:_', has, wrap(at, bound), call(at, 'optional.none'));
}

import type { ResolvedCall } from '../check/checker.ts';
import type { FunctionDeclaration, Implementation, Overload } from '../check/declarations.ts';
import type { CelType } from '../values/types.ts';
import { CelError, type Outcome, runtimeType, type Value } from '../values/value.ts';
import { callCost } from './call-costs.ts';
import type { Step } from './frame.ts';

/** Functions whose constant pattern is compiled beforehand, after which they are called like ones of many arguments. */
const WITH_PATTERN: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/**
 * A call of a function. Calls of one or two arguments, of which the overload is known or one implementation serves
 * all, evaluate both arguments before an error of either ends them; others end at the first error, and cost nothing if
 * arguments behind it were not evaluated (cel-go's planner and cost tracker).
 */
export function callStep({ declaration, overloads }: ResolvedCall, args: readonly Step[]): Step {
  const overload = overloads.length === 1 ? (overloads[0] as Overload) : null;
  const cost = callCost(declaration.name, overload?.id ?? '');
  const run = implementationOf(declaration, overload);
  const hasPattern = WITH_PATTERN.has(declaration.name) && args[1]?.constant !== undefined;
  const isEager = args.length <= 2 && !hasPattern && (overload !== null || declaration.run !== undefined);
  const id = overload?.id ?? '';
  return {
    run(frame) {
      const values: Outcome[] = [];
      let failed: CelError | null = null;
      for (const argument of args) {
        const value = argument.run(frame);
        values.push(value);
        if (!(value instanceof CelError)) continue;
        failed ??= value;
        if (!isEager) break;
      }
      const result = failed ?? run(values as Value[]);
      if (values.length === args.length) frame.charge(cost(values, id, result));
      return result;
    },
  };
}

function implementationOf(
  declaration: FunctionDeclaration,
  overload: Overload | null,
): (values: readonly Value[]) => Outcome {
  const { run } = declaration;
  if (run !== undefined) return (values) => run(...values);
  const candidates = overload === null ? declaration.overloads : [overload];
  return (values) => {
    const chosen = candidates.find(({ args }) => accepts(args, values));
    const implementation: Implementation | undefined = chosen?.run;
    return implementation === undefined ? noSuchOverload(declaration.name, values) : implementation(...values);
  };
}

function accepts(types: readonly CelType[], values: readonly Value[]): boolean {
  return types.length === values.length && types.every((type, i) => acceptsValue(type, values[i] as Value));
}

function acceptsValue({ kind, name }: CelType, value: Value): boolean {
  if (kind === 'typeParam' || kind === 'dyn' || kind === 'any') return true;
  const actual = runtimeType(value);
  return actual.kind === kind && (kind === 'list' || kind === 'map' || kind === 'type' || actual.name === name);
}

function noSuchOverload(name: string, values: readonly Value[]): CelError {
  const types = values.map((value) => runtimeType(value).name);
  return new CelError(`no such overload: ${name}(${types.join(', ')})`);
}

import { check } from './check/checker.ts';
import type { Environment } from './check/declarations.ts';
import { checkLiterals } from './check/literal-checks.ts';
import { estimateCost } from './cost/estimator.ts';
import { CostLimitExceeded, Frame, type Step } from './run/frame.ts';
import { PlanError, plan } from './run/planner.ts';
import { parse } from './syntax/parser.ts';
import { formatIssues, type Issue } from './syntax/source-text.ts';
import { type CelType, typeText } from './values/types.ts';
import { CelError, type Outcome } from './values/value.ts';

/** Why an expression cannot be used; `kind` is what the API server calls such an error. */
export interface CompileFailure {
  readonly kind: 'RuleInvalid' | 'InternalError';
  readonly message: string;
}

export interface Evaluation {
  readonly value: Outcome;
  /** What the evaluation cost, in upstream's units. */
  readonly cost: number;
}

const LIMIT_EXCEEDED = new CelError('operation cancelled: actual cost limit exceeded');

/** An expression that was parsed, checked and planned. */
export class Program {
  readonly type: CelType;
  readonly #step: Step;
  readonly #maxCost: () => bigint;

  constructor(type: CelType, step: Step, maxCost: () => bigint) {
    this.type = type;
    this.#step = step;
    this.#maxCost = maxCost;
  }

  /** The cost in the worst case; computed when asked for, since only the API server limits it. */
  get maxCost(): bigint {
    return this.#maxCost();
  }

  evaluate(variables: ReadonlyMap<string, Outcome>, costLimit: number): Evaluation {
    const frame = new Frame(variables, costLimit);
    try {
      return { value: this.#step.run(frame), cost: frame.cost };
    } catch (error) {
      if (!(error instanceof CostLimitExceeded)) throw error;
      return { value: LIMIT_EXCEEDED, cost: frame.cost };
    }
  }
}

/** Compiles an expression whose type must be among those that `accepts` takes. */
export function compile(
  text: string,
  environment: Environment,
  accepts: (type: CelType) => string | null,
): Program | CompileFailure {
  const issues: Issue[] = [];
  const expression = parse(text, issues);
  if (expression === null) return invalid(text, issues);
  const checked = check(expression, environment, issues);
  if (issues.length > 0) return invalid(text, issues);
  checkLiterals(checked, issues);
  if (issues.length > 0) return invalid(text, issues);
  const type = checked.types.get(expression) as CelType;
  const refusal = accepts(type);
  if (refusal !== null) return { kind: 'RuleInvalid', message: refusal };
  try {
    return new Program(type, plan(checked), () => estimateCost(checked, environment).max);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { kind: 'InternalError', message: `program instantiation failed: ${error.message}` };
  }
}

/** Accepts conditions: `bool`, and types of which nothing is known. */
export function condition(type: CelType): string | null {
  if (type.kind === 'bool' || type.kind === 'any' || type.kind === 'dyn') return null;
  return `must evaluate to bool or the unknown type, not ${typeText(type)}`;
}

function invalid(text: string, issues: readonly Issue[]): CompileFailure {
  return { kind: 'RuleInvalid', message: `compilation failed: ${formatIssues(text, issues)}` };
}

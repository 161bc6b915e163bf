import { kubernetesEnvironment } from '../../src/cel/kubernetes-environment.ts';
import { type CompileFailure, compile, type Evaluation, Program } from '../../src/cel/program.ts';
import { fixed } from '../../src/cel/values/estimates.ts';
import { DYN } from '../../src/cel/values/types.ts';
import { CelError, type Value } from '../../src/cel/values/value.ts';

const COST_LIMIT = 1_000_000;

/** An environment with the variable `x`, of which nothing is known but that it has at most 100 parts. */
const ENVIRONMENT = kubernetesEnvironment({
  variables: new Map([['x', DYN]]),
  fields: new Map(),
  sizeOf: () => ({ min: 0n, max: fixed(100).max }),
});

export function compiled(text: string): Program | CompileFailure {
  return compile(text, ENVIRONMENT, () => null);
}

export function programOf(text: string): Program {
  const program = compiled(text);
  if (!(program instanceof Program)) throw new Error(program.message);
  return program;
}

export function evaluation(text: string, x: Value = null): Evaluation {
  return programOf(text).evaluate(new Map([['x', x]]), COST_LIMIT);
}

/** The value of an expression, or the message of its error. */
export function evaluate(text: string, x: Value = null): Value | string {
  const { value } = evaluation(text, x);
  return value instanceof CelError ? `error: ${value.message}` : value;
}

/** The message of an expression that does not compile. */
export function mistake(text: string): string {
  const program = compiled(text);
  return program instanceof Program ? 'no mistake' : program.message;
}

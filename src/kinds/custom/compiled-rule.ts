import { kubernetesEnvironment } from '../../cel/kubernetes-environment.ts';
import { type CompileFailure, compile, Program } from '../../cel/program.ts';
import { type CelType, STRING, typeText } from '../../cel/values/types.ts';
import { textAt } from '../defaults/members.ts';
import type { JsonObject } from '../object/json.ts';
import { typesOfSchema } from './cel-types.ts';
import { sizeIn } from './schema-sizes.ts';

/** A rule of a schema (`x-kubernetes-validations`), compiled for the place where it stands. */
export interface CompiledRule {
  readonly rule: Program | CompileFailure;
  readonly message: Program | CompileFailure | undefined;
  /** Whether the rule compares with the value before. */
  readonly isTransition: boolean;
}

const cache = new WeakMap<JsonObject, CompiledRule | undefined>();

/** Compiles a rule once; undefined if rules can see nothing of the schema. */
export function compiledRule(rule: JsonObject, schema: JsonObject, isRoot: boolean): CompiledRule | undefined {
  if (!cache.has(rule)) cache.set(rule, compileRule(rule, schema, isRoot));
  return cache.get(rule);
}

function compileRule(rule: JsonObject, schema: JsonObject, isRoot: boolean): CompiledRule | undefined {
  const types = typesOfSchema(schema, isRoot);
  if (types === undefined) return undefined;
  const environment = kubernetesEnvironment({
    variables: new Map([
      ['self', types.type],
      ['oldSelf', types.type],
    ]),
    fields: types.fields,
    sizeOf: (path) => sizeIn(schema, path),
  });
  const text = textAt(rule, 'rule').trim();
  const message = textAt(rule, 'messageExpression').trim();
  return {
    rule: compile(text, environment, yesOrNo),
    message: message === '' ? undefined : compile(message, environment, words),
    isTransition: /\boldSelf\b/.test(text),
  };
}

function yesOrNo(type: CelType): string | null {
  return type.kind === 'bool' ? null : 'cel expression must evaluate to a bool';
}

function words(type: CelType): string | null {
  if (type.kind === STRING.kind) return null;
  return `messageExpression must evaluate to a string, not ${typeText(type)}`;
}

export function isProgram(compiled: Program | CompileFailure): compiled is Program {
  return compiled instanceof Program;
}

import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import { StatusError } from '../object/status-error.ts';
import type { GoStruct, GoType } from './go-types.ts';
import { goValueText } from './go-value-text.ts';

/**
 * Checks that the result of a strategic merge fits its type. The API converts it without going through JSON, so its
 * messages are others than those for bodies (apimachinery/pkg/runtime/converter.go). @throws StatusError
 */
export function checkUnstructured(object: JsonObject, struct: GoStruct, patch: JsonObject): void {
  const problem = structProblem(object, struct);
  if (problem === undefined) return;
  const message = `Invalid value: ${JSON.stringify(goValueText(patch))}: ${problem}`;
  throw new StatusError(422, 'Invalid', ` "" is invalid: patch: ${message}`, {
    causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }],
  });
}

function structProblem(object: JsonObject, struct: GoStruct): string | undefined {
  for (const [name, value] of Object.entries(object)) {
    const field = struct.fields.get(name);
    if (field === undefined || value === null || value === undefined) continue;
    const problem = problemOf(value, field.type);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(value: JsonValue, type: GoType): string | undefined {
  switch (type.kind) {
    case 'pointer':
      return problemOf(value, type.elem);
    case 'struct':
      return isJsonObject(value) ? structProblem(value, type) : `cannot restore struct from: ${goKind(value)}`;
    case 'list':
      if (!Array.isArray(value)) return `cannot restore slice from ${goKind(value)}`;
      return firstProblem(value, type.elem);
    case 'map':
      if (!isJsonObject(value)) return `cannot restore map from ${goKind(value)}`;
      return firstProblem(Object.values(value), type.elem);
    case 'special':
      return undefined;
    case 'bytes':
      return typeof value === 'string' ? undefined : `cannot restore slice from ${goKind(value)}`;
    default:
      return scalarProblem(value, type.kind);
  }
}

function firstProblem(values: readonly (JsonValue | undefined)[], elem: GoType): string | undefined {
  for (const value of values) {
    const problem = value === null || value === undefined ? undefined : problemOf(value, elem);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function scalarProblem(
  value: JsonValue,
  wanted: 'string' | 'bool' | 'int32' | 'int64' | 'float64',
): string | undefined {
  const given = goKind(value);
  if (given === wanted || (given === 'int64' && wanted === 'int32') || (given === 'int64' && wanted === 'float64')) {
    return undefined;
  }
  const isConvertible = given.startsWith('int') || given.startsWith('float');
  if (isConvertible && wanted !== 'bool') return `cannot convert ${given} to ${wanted}`;
  return `unrecognized type: ${wanted}`;
}

function goKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map';
}

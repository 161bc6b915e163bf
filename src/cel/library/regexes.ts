import { type FunctionDeclaration, functionOf, member } from '../check/declarations.ts';
import { compiledRegex } from '../values/regex.ts';
import { INT, listOf, STRING } from '../values/types.ts';
import { CelError, isList, type Outcome, type Value } from '../values/value.ts';

function findAll(text: Value, pattern: Value, limit: Value = -1n): Outcome {
  const found: string[] = [];
  const most = Number(limit);
  try {
    const matcher = compiledRegex(pattern as string).matcher(text as string);
    while ((most < 0 || found.length < most) && matcher.find()) found.push(matcher.group() ?? '');
  } catch (error) {
    return new CelError(`Illegal regex: ${error instanceof Error ? error.message : String(error)}`);
  }
  return found;
}

function find(text: Value, pattern: Value): Outcome {
  const found = findAll(text, pattern, 1n);
  return isList(found) ? (found[0] ?? '') : found;
}

/** Searches as apiserver/pkg/cel/library/regex.go has them. */
export const regexFunctions: readonly FunctionDeclaration[] = [
  functionOf('find', member('', [STRING, STRING], STRING, find)),
  functionOf(
    'findAll',
    member('', [STRING, STRING], listOf(STRING), findAll),
    member('', [STRING, STRING, INT], listOf(STRING), findAll),
  ),
];

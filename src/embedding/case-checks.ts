import { isObject, show } from '../api/validation/check.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';
import type { GoldenCase, GoldenDecision } from './golden-case.ts';

const MEMBERS: readonly string[] = ['name', 'nodes', 'pods', 'objects', 'schedule'] satisfies (keyof GoldenCase)[];

/** Checks the form of a case that may come from a file. What is in its lists is checked where it is used. */
export function checkCase(given: GoldenCase): void {
  if (!isObject(given)) throw invalid(`case: must be an object, not ${show(given)}`);
  for (const member of Object.keys(given)) {
    if (!MEMBERS.includes(member)) throw invalid(`case ${JSON.stringify(member)}: there is no such member`);
  }
  for (const member of ['nodes', 'schedule'] as const) checkList(`case.${member}`, given[member]);
  for (const member of ['pods', 'objects'] as const) {
    if (given[member] !== undefined) checkList(`case.${member}`, given[member]);
  }
  for (const [i, object] of (given.objects ?? []).entries()) {
    if (!isObject(object)) throw invalid(`case.objects[${i}]: must be an object, not ${show(object)}`);
  }
}

export function checkExpected(expected: readonly GoldenDecision[]): void {
  checkList('expected', expected);
  for (const [i, decision] of expected.entries()) {
    if (!isObject(decision)) throw invalid(`expected[${i}]: must be an object, not ${show(decision)}`);
  }
}

function checkList(what: string, list: unknown): void {
  if (!Array.isArray(list)) throw invalid(`${what}: must be a list, not ${show(list)}`);
}

function invalid(message: string): SchedulerError {
  return new SchedulerError('Invalid', message);
}

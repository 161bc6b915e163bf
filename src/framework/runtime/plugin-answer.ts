import { quote } from '../../api/validation/check.ts';
import { everyOf } from '../../lib/frozen-lists.ts';
import type { Plugin } from '../plugin.ts';
import { type Code, errorStatus, type Status } from '../status.ts';

const CODES: ReadonlySet<unknown> = new Set<Code>([
  ...(['Success', 'Error', 'Unschedulable', 'UnschedulableAndUnresolvable'] as const),
  ...(['Pending', 'Wait', 'Skip'] as const),
]);

/** The checked answer of the call; what it throws becomes an Error status of the plugin. */
export function answerOf(plugin: Plugin, call: () => unknown): Status | null {
  try {
    return checkedAnswer(plugin, call());
  } catch (error) {
    return errorStatus(plugin.name, textOf(error));
  }
}

/** The answer as a status with the plugin's name; null for Success, an Error status for an invalid answer. */
export function checkedAnswer(plugin: Plugin, answer: unknown): Status | null {
  if (answer === null || answer === undefined) return null;
  if (!isStatus(answer)) return errorStatus(plugin.name, `${described(answer)} is not a status`);
  if (answer.code === 'Success') return null;
  return answer.plugin === plugin.name ? answer : { ...answer, plugin: plugin.name };
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isStatus(answer: unknown): answer is Status {
  if (typeof answer !== 'object' || answer === null) return false;
  const { code, reasons } = answer as Partial<Status>;
  return CODES.has(code) && Array.isArray(reasons) && everyOf(reasons, isText);
}

function isText(reason: unknown): boolean {
  return typeof reason === 'string';
}

/** Describes an invalid answer for an error message, by its type or, if it is short, by its value. */
export function described(answer: unknown): string {
  if (typeof answer === 'function') return 'a function';
  if (typeof answer !== 'object' || answer === null) return typeof answer === 'string' ? quote(answer) : String(answer);
  if ('then' in answer) return 'a promise';
  return Array.isArray(answer)
    ? 'a list'
    : `an object with ${Object.keys(answer).slice(0, SHOWN_KEYS).join(', ') || 'nothing'}`;
}

const SHOWN_KEYS = 4;

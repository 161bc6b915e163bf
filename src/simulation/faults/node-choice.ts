import { parseLabelSelector } from '../../api/label-selector-text.ts';
import { CodedError } from '../../lib/errors.ts';

/** Labels that have a short name on the command line. */
const SHORT_KEYS: Readonly<Record<string, string>> = {
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  host: 'kubernetes.io/hostname',
};

/** A short name where a selector has a key: at the beginning of a requirement. */
const SHORT_KEY = /(^|,)(\s*!?\s*)(zone|region|host)(?=\s*(?:$|,|[=!<>]|(?:not)?in\b))/g;

/** Nodes by their names, or by a selector of labels whose keys are not shortened. */
export type NodeChoice = { readonly names: readonly string[] } | { readonly selector: string };

type IsKnown = (name: string) => boolean;

/**
 * The nodes that a text of the command line means: names with commas between, or a selector of labels such as
 * `zone=b,!gpu`.
 *
 * @throws CodedError `Usage` for a text that is no selector
 */
export function parseNodeChoice(text: string, flag: string, isKnown: IsKnown): NodeChoice {
  const parts = partsOf(text);
  if (parts.every(isKnown)) return { names: [...new Set(parts)] };
  const selector = text.replace(
    SHORT_KEY,
    (_, start: string, gap: string, key: string) => `${start}${gap}${SHORT_KEYS[key]}`,
  );
  const parsed = parseLabelSelector(selector);
  if ('error' in parsed) throw new CodedError('Usage', `${flag} ${text}: ${parsed.error}`);
  if (selector.trim() === '') throw new CodedError('Usage', `${flag}: is empty: expected names of nodes, or labels`);
  return { selector };
}

/** Why no node is meant by a text that is a selector. */
export function noNodeChosen(text: string, flag: string, isKnown: IsKnown): CodedError<'UnknownNode'> {
  const parts = partsOf(text);
  const isNames = parts.some(isKnown) || !/[=!<>()\s]/.test(text);
  const strange = parts.find((part) => !isKnown(part));
  const what = isNames ? `there is no node ${JSON.stringify(strange)}` : 'no node has such labels';
  return new CodedError('UnknownNode', `${flag} ${text}: ${what} in the input`);
}

function partsOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

import { parseLabelSelector } from '../api/label-selector-text.ts';
import type { Node } from '../api/node.ts';
import { CodedError } from '../lib/errors.ts';

/** Labels that have a short name on the command line. */
const SHORT_KEYS: Readonly<Record<string, string>> = {
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  host: 'kubernetes.io/hostname',
};

/** A short name where a selector has a key: at the beginning of a requirement. */
const SHORT_KEY = /(^|,)(\s*!?\s*)(zone|region|host)(?=\s*(?:$|,|[=!<>]|(?:not)?in\b))/g;

/**
 * The nodes that a text names: names with commas between, or a selector of labels such as `zone=b,!gpu`.
 *
 * @throws CodedError `UnknownNode`, or `Usage` for a text that is no selector
 */
export function chooseNodes(text: string, nodes: readonly Node[], flag: string): readonly string[] {
  const names = nodes.map(({ metadata }) => metadata?.name ?? '');
  const known = new Set(names);
  const parts = text.split(',').map((part) => part.trim());
  if (parts.every((part) => known.has(part))) return [...new Set(parts)];
  const selector = parseLabelSelector(
    text.replace(SHORT_KEY, (_, start: string, gap: string, key: string) => `${start}${gap}${SHORT_KEYS[key]}`),
  );
  if ('error' in selector) throw new CodedError('Usage', `${flag} ${text}: ${selector.error}`);
  const chosen = nodes.filter(({ metadata }) => selector.matches(metadata?.labels)).map((node) => node.metadata?.name);
  if (chosen.length > 0) return chosen.map((name) => name ?? '');
  const strange = parts.find((part) => !known.has(part));
  const isNames = parts.some((part) => known.has(part)) || !/[=!<>()\s]/.test(text);
  const what = isNames ? `there is no node ${JSON.stringify(strange)}` : 'no node has such labels';
  throw new CodedError('UnknownNode', `${flag} ${text}: ${what} in the input`);
}

/**
 * The nodes of the names, in this order, without those that are named twice.
 *
 * @throws CodedError `UnknownNode`
 */
export function namedNodes(text: string, nodes: readonly Node[], flag: string): readonly string[] {
  const known = new Set(nodes.map(({ metadata }) => metadata?.name ?? ''));
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const strange = names.find((name) => !known.has(name));
  if (strange === undefined) return names;
  throw new CodedError('UnknownNode', `${flag} ${text}: there is no node ${JSON.stringify(strange)} in the input`);
}

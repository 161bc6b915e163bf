import { parseLabelSelector } from '../api/label-selector-text.ts';
import type { Node } from '../api/node.ts';
import { CodedError } from '../lib/errors.ts';
import { noNodeChosen, parseNodeChoice } from '../simulation/faults/node-choice.ts';

/**
 * The nodes that a text names: names with commas between, or a selector of labels such as `zone=b,!gpu`.
 *
 * @throws CodedError `UnknownNode`, or `Usage` for a text that is no selector
 */
export function chooseNodes(text: string, nodes: readonly Node[], flag: string): readonly string[] {
  const known = new Set(nodes.map(({ metadata }) => metadata?.name ?? ''));
  const isKnown = (name: string): boolean => known.has(name);
  const choice = parseNodeChoice(text, flag, isKnown);
  if ('names' in choice) return choice.names;
  const selector = parseLabelSelector(choice.selector);
  const chosen = 'error' in selector ? [] : nodes.filter(({ metadata }) => selector.matches(metadata?.labels));
  if (chosen.length > 0) return chosen.map(({ metadata }) => metadata?.name ?? '');
  throw noNodeChosen(text, flag, isKnown);
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

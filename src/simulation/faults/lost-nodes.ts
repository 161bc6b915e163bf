import type { PossibleNodes } from './check-targets.ts';
import type { PlannedFault } from './fault-file.ts';
import type { FaultSettings } from './fault-kinds.ts';
import { noNodeChosen, parseNodeChoice } from './node-choice.ts';

/** When nodes of `--lose` crash: late enough that everything that the input has is running. */
const LOSS_MILLIS = 10 * 60_000;

export interface Loss {
  readonly fault: PlannedFault;
  /** Where its user finds it, such as `--lose zone=b`. */
  readonly place: string;
}

/**
 * The faults by which nodes crash for good: those with these names, or all that a selector selects then.
 *
 * @throws CodedError `Usage` for a text that is no selector, `UnknownNode`
 */
export function lossesOf(texts: readonly string[], nodes: PossibleNodes): readonly Loss[] {
  const isKnown = (name: string): boolean => nodes.isKnown(name);
  return texts.flatMap((text) => {
    const choice = parseNodeChoice(text, '--lose', isKnown);
    const all: readonly FaultSettings[] = 'names' in choice ? choice.names.map((node) => ({ node })) : [choice];
    const isInVain = all.some((settings) => nodes.problemOf(settings) !== undefined);
    if (isInVain && !nodes.isEmpty) throw noNodeChosen(text, '--lose', isKnown);
    return all.map((settings): Loss => {
      return { fault: crash(settings), place: `--lose ${text}` };
    });
  });
}

function crash(settings: FaultSettings): PlannedFault {
  return { kind: 'nodeCrash', settings, times: { atMillis: [LOSS_MILLIS] }, length: undefined };
}

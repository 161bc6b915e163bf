import { CelError, isList, MapValue, type Outcome, type Value } from '../values/value.ts';
import { type Frame, LazyLocal, type Step } from './frame.ts';

/** The parts of a macro over elements, with the slots of its variables. */
export interface FoldSteps {
  readonly range: Step;
  readonly initial: Step;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
  readonly accumulatorSlot: number;
  readonly slot: number;
  readonly secondSlot: number | null;
}

/** Runs a macro over the elements of a list or map. The fold itself costs nothing. */
export function foldStep(steps: FoldSteps): Step {
  const { range, initial, condition, step, result, accumulatorSlot, slot, secondSlot } = steps;
  return {
    run(frame) {
      const elements = range.run(frame);
      if (elements instanceof CelError) return elements;
      const pairs = pairsOf(elements);
      if (pairs === null) return new CelError('no such overload');
      frame.locals[accumulatorSlot] = initial.run(frame);
      for (const [key, value] of pairs) {
        frame.locals[slot] = secondSlot === null && isList(elements) ? value : key;
        if (secondSlot !== null) frame.locals[secondSlot] = value;
        if (condition.run(frame) !== true) break;
        frame.locals[accumulatorSlot] = step.run(frame);
      }
      return result.run(frame);
    },
  };
}

function* listPairs(elements: readonly Value[]): Iterable<readonly [Value, Value]> {
  for (const [i, element] of elements.entries()) yield [BigInt(i), element];
}

function* mapPairs(elements: MapValue): Iterable<readonly [Value, Value]> {
  for (const key of elements.keys()) yield [key, elements.get(key) as Value];
}

function pairsOf(elements: Value): Iterable<readonly [Value, Value]> | null {
  if (isList(elements)) return listPairs(elements);
  return elements instanceof MapValue ? mapPairs(elements) : null;
}

/** A `cel.bind`, whose value is computed when the result first needs it. */
export function bindingStep(initial: Step, result: Step, slot: number): Step {
  return {
    run(frame: Frame): Outcome {
      frame.locals[slot] = new LazyLocal(() => initial.run(frame));
      return result.run(frame);
    },
  };
}

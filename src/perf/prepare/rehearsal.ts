import type { Step } from '../config/steps.ts';

/** Enough for compilers to see what there is to compile. */
const OBJECTS_MAX = 2000;
const STEADY_MILLIS_MAX = 200;

/**
 * The same steps with fewer objects, all in proportion: pods that fit fit still, and those that do not do not. What was
 * rehearsed with the same code is compiled when it is measured; upstream's benchmark is compiled before it begins.
 */
export function rehearsalOf(steps: readonly Step[]): Step[] {
  const largest = Math.max(1, ...steps.map((step) => ('count' in step ? step.count : 0)));
  const part = Math.min(1, OBJECTS_MAX / largest);
  return steps.map((step) => {
    switch (step.opcode) {
      case 'createPods': {
        const durationMillis = Math.min(step.durationMillis, STEADY_MILLIS_MAX);
        return { ...step, count: Math.ceil(step.count * part), durationMillis };
      }
      case 'createNodes':
      case 'createAny':
      case 'updateAny':
        return { ...step, count: Math.ceil(step.count * part) };
      default:
        return step;
    }
  });
}

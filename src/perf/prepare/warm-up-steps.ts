import type { Step } from '../config/steps.ts';

/** Enough objects for compilers to compile all relevant code. */
const OBJECTS_MAX = 2000;
const STEADY_MILLIS_MAX = 200;

/**
 * The same steps with proportionally fewer objects, so that the same pods fit. Code that has run before is compiled
 * when it is measured, as upstream's benchmark is compiled before it starts.
 */
export function warmUpStepsOf(steps: readonly Step[]): Step[] {
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

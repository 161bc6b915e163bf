import type { Step } from '../config/steps.ts';

/** The size of a warm-up: a limit for the objects of a step, and for the time of a steady state. */
export interface WarmUpSize {
  readonly objectsMax: number;
  readonly steadyMillisMax: number;
}

/** Enough objects for compilers to compile all relevant code. */
export const FULL: WarmUpSize = { objectsMax: 2000, steadyMillisMax: 200 };

/** Enough objects to make everything that a stack has once. */
export const TINY: WarmUpSize = { objectsMax: 20, steadyMillisMax: 10 };

/**
 * The same steps with proportionally fewer objects, so that the same pods fit. Code that has run before is compiled
 * when it is measured, as upstream's benchmark is compiled before it starts. Groups of pods stay whole.
 */
export function warmUpStepsOf(steps: readonly Step[], { objectsMax, steadyMillisMax }: WarmUpSize): Step[] {
  const largest = Math.max(1, ...steps.map((step) => ('count' in step ? step.count : 0)));
  const part = Math.min(1, objectsMax / largest);
  return steps.map((step) => {
    switch (step.opcode) {
      case 'createPods': {
        const durationMillis = Math.min(step.durationMillis, steadyMillisMax);
        const multiplier = Math.max(1, step.countMultiplier);
        return { ...step, count: Math.ceil((step.count / multiplier) * part) * multiplier, durationMillis };
      }
      case 'createNodes':
      case 'createAny':
      case 'createPodGroups':
      case 'waitForPodGroups':
      case 'updateAny':
        return { ...step, count: Math.ceil(step.count * part) };
      default:
        return step;
    }
  });
}

import type { Step } from '../config/steps.ts';

/** Enough for compilers to see what there is to compile. */
const NODES_MAX = 500;
const OBJECTS_MAX = 3000;
const STEADY_MILLIS_MAX = 200;

/**
 * The same step with few objects. What is rehearsed with the same code and other numbers is compiled when it is
 * measured: upstream's benchmark is compiled before it begins.
 */
export function rehearsalOf(step: Step): Step {
  switch (step.opcode) {
    case 'createNodes':
      return { ...step, count: Math.min(step.count, NODES_MAX) };
    case 'createPods': {
      const durationMillis = Math.min(step.durationMillis, STEADY_MILLIS_MAX);
      return { ...step, count: Math.min(step.count, OBJECTS_MAX), durationMillis };
    }
    case 'createAny':
    case 'updateAny':
      return { ...step, count: Math.min(step.count, OBJECTS_MAX) };
    default:
      return step;
  }
}

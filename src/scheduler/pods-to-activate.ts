import { type CycleState, podsToActivate } from '../framework/cycle-state.ts';
import type { SchedulingQueue } from './queue/scheduling-queue.ts';

/** Activates the pods that plugins of the cycle added to its state. */
export function activatePods(queue: SchedulingQueue, state: CycleState): void {
  const pods = podsToActivate(state);
  if (pods.size === 0) return;
  const activated = [...pods.values()];
  pods.clear();
  queue.activate(activated);
}

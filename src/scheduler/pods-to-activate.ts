import { type CycleState, podsAddedTo } from '../framework/cycle-state.ts';
import type { SchedulingQueue } from './queue/scheduling-queue.ts';

/** Activates the pods that plugins of the cycle added to its state. */
export function activatePods(queue: SchedulingQueue, state: CycleState): void {
  const pods = podsAddedTo(state);
  if (pods === undefined || pods.size === 0) return;
  const activated = [...pods.values()];
  pods.clear();
  queue.activate(activated);
}

import type { SchedulingQueue } from '../queue/scheduling-queue.ts';
import type { QueueState } from './scheduler-metrics.ts';

/** What waits in the queue, and why, as the metrics report it. */
export function queueStateOf(queue: SchedulingQueue): QueueState {
  const counts = { active: 0, backoff: 0, unschedulable: 0, gated: 0 };
  const rejected = new Map<string, [plugin: string, profile: string, pods: number]>();
  for (const { place, isGated, unschedulablePlugins, podInfo } of queue.pendingPods()) {
    if (isGated) counts.gated++;
    else if (place === 'errorBackoff') counts.backoff++;
    else if (place !== null) counts[place]++;
    if (place !== 'unschedulable') continue;
    const profile = podInfo.pod.spec?.schedulerName ?? '';
    for (const plugin of unschedulablePlugins) {
      const known = rejected.get(`${plugin} ${profile}`);
      if (known === undefined) rejected.set(`${plugin} ${profile}`, [plugin, profile, 1]);
      else known[2]++;
    }
  }
  const inFlightEvents = new Map<string, number>();
  for (const { event } of queue.inFlightEvents()) {
    inFlightEvents.set(event.label, (inFlightEvents.get(event.label) ?? 0) + 1);
  }
  return { ...counts, rejected: rejected.values(), inFlightEvents };
}

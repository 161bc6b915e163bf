import type { Pod } from '../../api/pod.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint } from '../../framework/events.ts';
import type { PreEnqueuePlugin } from '../../framework/plugin.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, unresolvable } from '../../framework/status.ts';

export const SCHEDULING_GATES = 'SchedulingGates';

/** Keeps a pod out of the queue until its last scheduling gate is removed. */
export class SchedulingGates implements PreEnqueuePlugin {
  readonly name = SCHEDULING_GATES;

  /** Only the pod's own scheduling gates hold it back. */
  eventsToRegister(): readonly ClusterEventWithHint[] {
    const { UpdatePodSchedulingGatesEliminated } = ActionType;
    return [
      eventWithHint('Pod', UpdatePodSchedulingGatesEliminated, (pod, _before, after) => isSameUid(after, pod.uid)),
    ];
  }

  gates({ spec }: Pod): boolean {
    return (spec?.schedulingGates?.length ?? 0) > 0;
  }

  preEnqueue(pod: PodInfo): Status | null {
    const gates = pod.pod.spec?.schedulingGates ?? [];
    if (gates.length === 0) return null;
    const names = gates.map((gate) => gate.name).join(' ');
    return unresolvable(this.name, `waiting for scheduling gates: [${names}]`);
  }
}

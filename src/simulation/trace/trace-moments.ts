import type { Pod } from '../../api/pod.ts';
import type { Moment, TraceEvent } from './cluster-trace.ts';

/** Changes that are further apart than this are not put together, although no decision lies between them. */
const TOGETHER_MILLIS = 50;

/**
 * Puts together the changes between two decisions of the cluster's scheduler, so that a scheduler that is faster does
 * not decide between them either. `decides` says of each event whether it is a decision.
 */
export function momentsOf(events: readonly TraceEvent[], decides: (event: TraceEvent) => boolean): Moment[] {
  const moments: Moment[] = [];
  let open: TraceEvent[] = [];
  const close = (): void => {
    const last = open.at(-1);
    if (last !== undefined) moments.push({ atMillis: last.atMillis, events: open });
    open = [];
  };
  for (const event of events) {
    const isDecision = decides(event);
    if (isDecision || event.atMillis - (open[0]?.atMillis ?? event.atMillis) > TOGETHER_MILLIS) close();
    open.push(event);
    // Nothing that follows was there when the scheduler decided.
    if (isDecision) close();
  }
  close();
  return moments;
}

/** Whether the change of the pod is a decision of a scheduler: a node, or the reason why there is none. */
export function isDecision(before: Pod | undefined, after: Pod): boolean {
  if (before === undefined || before.spec?.nodeName) return false;
  return after.spec?.nodeName !== undefined || waitReason(before) !== waitReason(after);
}

function waitReason({ status }: Pod): string {
  const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return condition === undefined ? '' : `${condition.status} ${condition.message ?? ''}`;
}

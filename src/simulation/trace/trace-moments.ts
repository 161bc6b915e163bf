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
    if (decides(event)) {
      close();
      moments.push({ atMillis: event.atMillis, attempt: event.object.metadata?.uid, events: [event] });
      continue;
    }
    if (event.atMillis - (open[0]?.atMillis ?? event.atMillis) > TOGETHER_MILLIS) close();
    open.push(event);
  }
  close();
  return moments;
}

/**
 * Whether the change of the pod is the first write of an attempt of a scheduler: a node, the reason why there is none,
 * or the node on which others make room. Another pod's attempt may clear a nomination, but never sets one.
 */
export function isDecision(before: Pod | undefined, after: Pod): boolean {
  if (before === undefined || before.spec?.nodeName) return false;
  if (after.spec?.nodeName !== undefined || waitReason(before) !== waitReason(after)) return true;
  const nomination = after.status?.nominatedNodeName ?? '';
  return nomination !== '' && nomination !== before.status?.nominatedNodeName;
}

function waitReason({ status }: Pod): string {
  const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return condition === undefined ? '' : `${condition.status} ${condition.message ?? ''}`;
}

import { podKey } from '../../api/object-name.ts';
import { whole } from '../../lib/shown-count.ts';
import { visible } from '../text/visible.ts';
import type { ShownPlacement } from './placements.ts';

/** Pods that were not placed, for the same reason. */
export interface NotPlacedGroup {
  readonly pods: number;
  /** The reason of the first of them; in those of the others, other numbers of nodes may stand. */
  readonly reason: string;
  /** The first pod with this reason, as namespace/name. */
  readonly example: string;
}

const GROUPS_SHOWN = 20;

/** The pods that have no node, grouped by reason; the largest group comes first. */
export function groupNotPlaced(placements: readonly ShownPlacement[]): NotPlacedGroup[] {
  const groups = new Map<string, { pods: number; readonly reason: string; readonly example: string }>();
  for (const { pod, result } of placements) {
    if (result.status === 'scheduled') continue;
    const reason = reasonOf(result);
    const key = reason.replace(NODE_COUNT, '$1');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { pods: 1, reason, example: podKey(pod) });
    else group.pods++;
  }
  return [...groups.values()].sort((a, b) => b.pods - a.pods);
}

/** A title, and one line a group: `34 pods: 20 node(s) had untolerated taint(s) (default/web-1)`. */
export function notPlacedLines(groups: readonly NotPlacedGroup[]): string[] {
  const lines = groups.slice(0, GROUPS_SHOWN).map(({ pods, reason, example }) => {
    return `  ${pods === 1 ? '1 pod' : `${whole(pods)} pods`}: ${visible(reason)} (${visible(example)})`;
  });
  const more = groups.length - GROUPS_SHOWN;
  const end = more > 0 ? [`  ${whole(more)} more reasons`] : [];
  return lines.length === 0 ? [] : ['not placed:', ...lines, ...end];
}

/** The number of nodes in front of a reason. */
const NODE_COUNT = /(^|, )\d+ /g;
/** Upstream's message of a pod that fits nowhere: the part about filters, then the outcome of preemption. */
const FILTERED = /^0\/\d+ nodes are available: (.*?)\.(?: |$)/;

function reasonOf(result: Exclude<ShownPlacement['result'], { readonly status: 'scheduled' }>): string {
  if (result.status === 'preempted') return 'preempted by pods of higher priority';
  if (result.status === 'gated') return `${result.plugin}: ${result.reasons.join(', ')}`;
  if (result.status === 'notResponsible') return `no profile for scheduler ${result.schedulerName}`;
  return FILTERED.exec(result.message)?.[1] ?? result.message;
}

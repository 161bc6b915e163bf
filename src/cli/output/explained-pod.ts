import type { GroupExplanation } from '../../cluster/pod-group-scheduler.ts';
import type { Explanation } from '../../core/decision/result.ts';
import { plural, whole } from '../../lib/shown-count.ts';
import type { Remedy } from '../../what-if/remedies/remedy.ts';
import { groupLines } from '../text/group-text.ts';
import { visible } from '../text/visible.ts';
import { formatExplanation } from './explanation.ts';
import type { ExplanationFormat } from './explanation-format.ts';

/** A pod, the decision for it, and what would place it if nothing does. */
export interface ExplainedPod {
  /** Namespace and name. */
  readonly pod: string;
  /** The node on which it is; null for a pending pod. */
  readonly node: string | null;
  /** How it stands with the pod's group; absent: it is scheduled without one. */
  readonly group?: GroupExplanation;
  /** What is explained of a group is the pod that tells most: `group.explained`. */
  readonly explanation: Explanation;
  /** Null for a pod that fits, or a group that has a place. */
  readonly remedies: readonly Remedy[] | null;
}

export function formatExplainedPod(
  { pod, node, group, explanation, remedies }: ExplainedPod,
  format: ExplanationFormat,
): string {
  const place = node === null ? '' : `On node ${visible(node)}; what follows is the decision if it were placed anew.\n`;
  const text = formatExplanation(visible(group?.explained ?? pod), explanation, format);
  const ofGroup = group === undefined ? '' : `${groupLines(pod, group).map(visible).join('\n')}\n\n`;
  return `${ofGroup}${place}${text}${remedies === null ? '' : `\n${remedyLines(remedies).join('\n')}\n`}`;
}

function remedyLines(remedies: readonly Remedy[]): readonly string[] {
  if (remedies.length === 0) return ['No change that was tried would place it.'];
  const lines = remedies.map((remedy) => `  ${remedyText(remedy)} (${placeText(remedy)})`);
  return ['What would place it, each tried by deciding again:', ...lines];
}

function remedyText({ changes }: Remedy): string {
  return changes.map((change) => visible(change.text)).join(', and ');
}

function placeText({ node, feasibleNodes, group }: Remedy): string {
  if (group !== undefined) return `${whole(group.placedCount)} of ${plural(group.waitingCount, 'pod')} that wait`;
  return `on ${visible(node)}${feasibleNodes > 1 ? `, or one of ${whole(feasibleNodes - 1)} more` : ''}`;
}

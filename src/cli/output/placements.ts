import type { Pod } from '../../api/pod.ts';
import type { Placement } from '../../core/place-pods.ts';
import { combined } from '../../lib/combined.ts';
import { type ColumnsFormat, formatColumns } from '../text/columns.ts';

/** The result of a pod that was placed with its group, by the queue: nobody has noted scores. */
export interface PlacedInGroup {
  readonly status: 'scheduled';
  readonly node: string;
  readonly score?: undefined;
  readonly feasibleNodes?: undefined;
  readonly ties?: undefined;
}

/** A placement, of a single pod or of one of a group. */
export interface ShownPlacement extends Omit<Placement, 'result'> {
  readonly result: Placement['result'] | PlacedInGroup;
}

type Status = Placement['result']['status'];

const NOTHING = '-';
const NO_NODE = '<none>';

/** One line for each pod: its node, or the reason why it has none. */
export function formatPlacements(
  placements: readonly ShownPlacement[],
  wide: boolean,
  format: ColumnsFormat = {},
): string {
  const header = wide
    ? ['NAMESPACE', 'POD', 'STATUS', 'NODE', 'SCORE', 'FEASIBLE', 'TIES', 'MESSAGE']
    : ['NAMESPACE', 'POD', 'STATUS', 'NODE', 'MESSAGE'];
  const rows = placements.map((placement) => {
    const { pod, result } = placement;
    const scheduled = result.status === 'scheduled' ? result : null;
    const { namespace, name } = nameOf(pod);
    const place = [namespace ?? '', name ?? '', result.status, nodeOf(placement) ?? NO_NODE];
    const numbers = [scheduled?.score, scheduled?.feasibleNodes, scheduled?.ties];
    const cells = wide ? [...place, ...numbers.map((number) => String(number ?? NOTHING))] : place;
    return [...cells, messageOf(placement)];
  });
  return formatColumns(header, rows, format);
}

/** The same as plain data, for JSON and YAML. */
export function placementRecord(placement: ShownPlacement): Readonly<Record<string, unknown>> {
  const { pod, result, preemption } = placement;
  const record = combined(nameOf(pod), { status: result.status, node: nodeOf(placement) });
  // The pod's victims are gone even though it was evicted later; their `message` is from the event before.
  if (result.status === 'preempted') return combined(record, { preemptedBy: result.preemptedBy, ...preemption });
  if (result.status === 'scheduled') {
    const { score, feasibleNodes, ties } = result;
    return combined(record, { score, feasibleNodes, ties, ...preemption });
  }
  if (result.status === 'gated') {
    return combined(record, { plugin: result.plugin, reasons: result.reasons, message: messageOf(placement) });
  }
  return combined(record, { ...preemption, message: messageOf({ ...placement, preemption: null }) });
}

/**
 * Counts placements by status. `preempted` counts every victim, including those that were on their node from the start.
 */
export function countPlacements(placements: readonly ShownPlacement[]): Readonly<Record<Status, number>> {
  const counts = { scheduled: 0, unschedulable: 0, gated: 0, notResponsible: 0, error: 0, preempted: 0 };
  for (const { result } of placements) counts[result.status]++;
  return counts;
}

function nameOf({ metadata }: Pod) {
  return { namespace: metadata?.namespace, name: metadata?.name };
}

function nodeOf({ result }: ShownPlacement): string | null {
  return result.status === 'scheduled' || result.status === 'preempted' ? result.node : null;
}

function messageOf({ result, preemption }: ShownPlacement): string {
  const evicted =
    preemption === null ? [] : [`nominated ${preemption.nominatedNode}, preempted ${preemption.victims.join(', ')}`];
  return [...evicted, ...outcomeOf(result)].join('; ');
}

function outcomeOf(result: ShownPlacement['result']): string[] {
  if (result.status === 'scheduled') return [];
  if (result.status === 'preempted') return [`preempted by ${result.preemptedBy}`];
  if (result.status === 'gated') return [`${result.plugin}: ${result.reasons.join(', ')}`];
  if (result.status === 'notResponsible') return [`no profile for scheduler ${result.schedulerName}`];
  return [result.message];
}

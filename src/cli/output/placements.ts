import type { Pod } from '../../api/pod.ts';
import type { ScheduleResult } from '../../core/result.ts';
import { formatColumns } from './columns.ts';

export interface Placement {
  readonly pod: Pod;
  readonly result: ScheduleResult;
}

export interface PlacementCounts {
  readonly scheduled: number;
  readonly unschedulable: number;
  readonly gated: number;
  readonly notResponsible: number;
  readonly error: number;
}

const NOTHING = '-';
const NO_NODE = '<none>';

/** One line a pod: where it goes, or why nowhere. */
export function formatPlacements(placements: readonly Placement[], wide: boolean): string {
  const header = wide
    ? ['NAMESPACE', 'POD', 'STATUS', 'NODE', 'SCORE', 'FEASIBLE', 'TIES', 'MESSAGE']
    : ['NAMESPACE', 'POD', 'STATUS', 'NODE', 'MESSAGE'];
  const rows = placements.map(({ pod, result }) => {
    const scheduled = result.status === 'scheduled' ? result : null;
    const name = [pod.metadata?.namespace ?? '', pod.metadata?.name ?? '', result.status, scheduled?.node ?? NO_NODE];
    const numbers = [scheduled?.score, scheduled?.feasibleNodes, scheduled?.ties];
    const cells = wide ? [...name, ...numbers.map((number) => String(number ?? NOTHING))] : name;
    return [...cells, messageOf(result)];
  });
  return formatColumns(header, rows);
}

/** The same as plain data, for JSON and YAML. */
export function placementRecord({ pod, result }: Placement): Readonly<Record<string, unknown>> {
  const { status } = result;
  const name = { namespace: pod.metadata?.namespace, name: pod.metadata?.name, status };
  if (status === 'scheduled') {
    const { node, score, feasibleNodes, ties } = result;
    return { ...name, node, score, feasibleNodes, ties };
  }
  if (status === 'gated') {
    return { ...name, node: null, plugin: result.plugin, reasons: result.reasons, message: messageOf(result) };
  }
  return { ...name, node: null, message: messageOf(result) };
}

export function countPlacements(placements: readonly Placement[]): PlacementCounts {
  const counts = { scheduled: 0, unschedulable: 0, gated: 0, notResponsible: 0, error: 0 };
  for (const { result } of placements) counts[result.status]++;
  return counts;
}

function messageOf(result: ScheduleResult): string {
  if (result.status === 'scheduled') return '';
  if (result.status === 'gated') return `${result.plugin}: ${result.reasons.join(', ')}`;
  if (result.status === 'notResponsible') return `no profile for scheduler ${result.schedulerName}`;
  return result.message;
}

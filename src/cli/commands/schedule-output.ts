import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import type { Explanation } from '../../core/decision/result.ts';
import type { PhaseReport } from '../../framework/tracing/phase-times.ts';
import { latePackage } from '../../lib/host-modules.ts';
import { formatExplanation } from '../output/explanation.ts';
import type { NotPlacedGroup } from '../output/not-placed.ts';
import { formatPhases } from '../output/phase-table.ts';
import { countPlacements, formatPlacements, placementRecord, type ShownPlacement } from '../output/placements.ts';
import { visible } from '../text/visible.ts';

export const SCHEDULE_FORMATS = ['table', 'wide', 'json', 'yaml', 'name'] as const;

/** The flags of how placements are printed. */
export interface ScheduleOutputFlags {
  readonly output: (typeof SCHEDULE_FORMATS)[number];
  readonly only?: 'unplaced';
  readonly namespace?: string;
  /** False: without titles. */
  readonly headers: boolean;
  /** All nodes in an explanation. */
  readonly nodes?: true;
}

/** The result of placing all pods. */
export interface ScheduleRun {
  readonly placements: readonly ShownPlacement[];
  readonly explained: Pod | null;
  readonly explanation: Explanation | null;
  readonly phases: PhaseReport | null;
  readonly podCount: number;
  readonly notPlaced: readonly NotPlacedGroup[];
}

/** @param width the columns of the terminal, if there is one */
export function formatSchedule(run: ScheduleRun, flags: ScheduleOutputFlags, width: number | undefined): string {
  const { explained, explanation, phases, podCount } = run;
  const placements = run.placements.filter((placement) => isShown(placement, flags));
  const explainedName = explained === null ? '' : podKey(explained);
  if (flags.output === 'name') {
    return placements.map(({ pod }) => `pod/${visible(pod.metadata?.name ?? '')}\n`).join('');
  }
  if (flags.output === 'table' || flags.output === 'wide') {
    const isWide = flags.output === 'wide';
    return [
      formatPlacements(placements, isWide, { hasNoHeader: !flags.headers, width }),
      ...(explanation === null
        ? []
        : [formatExplanation(explainedName, explanation, { hasAllNodes: flags.nodes === true, width })]),
      ...(phases === null ? [] : [formatPhases(`Time of ${podCount} pods:`, phases)]),
    ].join('\n');
  }
  const report = {
    summary: { pods: podCount, ...countPlacements(run.placements) },
    notPlaced: run.notPlaced,
    placements: placements.map(placementRecord),
    ...(explanation !== null && { explanation: { pod: explainedName, ...explanation } }),
    ...(phases !== null && { phases }),
  };
  return flags.output === 'json'
    ? `${JSON.stringify(report, null, 2)}\n`
    : latePackage('yaml').stringify(report, { aliasDuplicateObjects: false });
}

function isShown({ pod, result }: ShownPlacement, { only, namespace }: ScheduleOutputFlags): boolean {
  if (only === 'unplaced' && result.status === 'scheduled') return false;
  return namespace === undefined || pod.metadata?.namespace === namespace;
}

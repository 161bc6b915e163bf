import { plural, whole } from '../../lib/shown-count.ts';
import type { SeriesByName } from '../../simulation/statistics/cluster-statistics.ts';
import { formatColumns } from '../text/columns.ts';
import { visible } from '../text/visible.ts';
import { durationText } from './simulation-table.ts';

/** The parts of an observed run that its course is told from. */
export interface ObservedCourse {
  readonly startMillis: number;
  readonly podsByPhase: SeriesByName;
  readonly usageByResource: SeriesByName;
  readonly observed: {
    readonly events: { readonly widthMillis: number; readonly counts: readonly (readonly number[])[] };
    readonly pendingByReason: SeriesByName;
    readonly faults: readonly { readonly atMillis: number; readonly text: string }[];
  } | null;
}

/** What happened in a stretch of a run. */
export interface CourseRow {
  readonly fromSeconds: number;
  readonly created: number;
  readonly scheduled: number;
  readonly ended: number;
  /** The most pods that had no node at one time, and why most of them had none then. */
  readonly mostPending: number;
  readonly reason: string | null;
  /** At the end of the stretch. */
  readonly running: number;
  readonly cpuShare: number | null;
  readonly faults: readonly string[];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Lengths of a stretch that a reader can count in. */
const LENGTHS: readonly number[] = [
  ...[1, 5, 10, 30],
  ...[MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR],
  ...[DAY, 7 * DAY, 30 * DAY, 365 * DAY],
];
const ROWS_MAX = 13;

/** What happened when, in equal stretches. */
export function courseOf({ startMillis, podsByPhase, usageByResource, observed }: ObservedCourse): CourseRow[] {
  if (observed === null) return [];
  const { events, pendingByReason, faults } = observed;
  const endMillis = Math.max(podsByPhase.points.at(-1)?.atMillis ?? startMillis, startMillis + 1);
  const seconds = (endMillis - startMillis) / 1000;
  const lengthMillis = 1000 * (LENGTHS.find((length) => seconds / length <= ROWS_MAX) ?? seconds / ROWS_MAX);
  const [pending, running] = ['Pending', 'Running'].map((name) => podsByPhase.names.indexOf(name));
  const cpu = usageByResource.names.indexOf('cpu');
  const rowCount = Math.ceil((endMillis - startMillis) / lengthMillis);
  return Array.from({ length: rowCount }, (_, i): CourseRow => {
    const from = startMillis + i * lengthMillis;
    // What happens at the very end belongs to the last stretch.
    const to = i === rowCount - 1 ? Number.POSITIVE_INFINITY : from + lengthMillis;
    const counts = events.counts.filter((_each, bin) => {
      return Math.min(Math.floor((bin * events.widthMillis) / lengthMillis), rowCount - 1) === i;
    });
    const sum = (kind: number): number => counts.reduce((total, each) => total + (each[kind] ?? 0), 0);
    const worst = mostOf(during(podsByPhase, from, to), pending ?? -1);
    const last = during(podsByPhase, from, to).at(-1)?.values[running ?? -1] ?? 0;
    return {
      fromSeconds: (from - startMillis) / 1000,
      ...{ created: sum(0), scheduled: sum(1), ended: sum(2), running: last },
      mostPending: worst.value,
      reason: worst.value === 0 ? null : reasonAt(pendingByReason, from, to),
      cpuShare: cpu < 0 ? null : (during(usageByResource, from, to).at(-1)?.values[cpu] ?? 0),
      faults: faults.filter(({ atMillis }) => atMillis >= from && atMillis < to).map(({ text }) => text),
    };
  });
}

/** The points of the stretch, and the one before it, whose values still held at its beginning. */
function during({ points }: SeriesByName, from: number, to: number) {
  const first = points.findLastIndex(({ atMillis }) => atMillis <= from);
  return points.slice(Math.max(first, 0)).filter(({ atMillis }) => atMillis < to);
}

function mostOf(points: SeriesByName['points'], index: number) {
  let value = 0;
  for (const { values } of points) value = Math.max(value, values[index] ?? 0);
  return { value };
}

/** The reason that most pods of the stretch had at one time; null: nobody has looked at them. */
function reasonAt(series: SeriesByName, from: number, to: number): string | null {
  const points = during(series, from, to);
  const best = series.names.map((name, i) => ({ name, most: mostOf(points, i).value }));
  const [first] = best.sort((a, b) => b.most - a.most);
  return first === undefined || first.most === 0 ? null : first.name;
}

const FAULTS_SHOWN = 2;

/** The course of a run as a table. */
export function formatCourse(rows: readonly CourseRow[], width: number | undefined): string {
  if (rows.length === 0) return '';
  const titles = ['FROM', 'CREATED', 'SCHEDULED', 'ENDED', 'RUNNING', 'CPU', 'MOST PENDING', 'WHAT HAPPENED'];
  const cells = rows.map(({ fromSeconds, created, scheduled, ended, running, cpuShare, mostPending, ...more }) => [
    durationText(fromSeconds),
    ...[created, scheduled, ended, running].map(whole),
    cpuShare === null ? '-' : `${(cpuShare * 100).toFixed(1)}%`,
    whole(mostPending),
    visible(happenedText(more)),
  ]);
  return `\n${formatColumns(titles, cells, width === undefined ? {} : { width })}`;
}

function happenedText({ faults, reason }: Pick<CourseRow, 'faults' | 'reason'>): string {
  const more = faults.length - FAULTS_SHOWN;
  const texts = [
    ...faults.slice(0, FAULTS_SHOWN),
    ...(more > 0 ? [plural(more, 'more fault')] : []),
    ...(reason === null ? [] : [`pending: ${reason}`]),
  ];
  return texts.length === 0 ? '-' : texts.join('; ');
}

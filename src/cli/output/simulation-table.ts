import { formatDuration } from '../../lib/go-duration.ts';
import { whole } from '../../lib/shown-count.ts';
import type { Capacity } from '../../simulation/statistics/usage-meter.ts';
import type { SimulationSummary } from '../../simulation/summary.ts';
import type { Placements } from '../../simulation/trace/placements.ts';
import { formatColumns } from '../text/columns.ts';
import { short } from '../text/numbers.ts';
import { cutTo, visible } from '../text/visible.ts';
import { formatOpenPods } from './open-pods.ts';

type Row = readonly [name: string, value: string];

/**
 * The table of one simulation, one figure a line, and the pods that do not run. In a terminal of this width long values
 * go on in the next line.
 */
export function formatSimulation(summary: SimulationSummary, width?: number): string {
  const rows = simulationRows(summary);
  const shown = width === undefined ? rows : wrapped(rows, width);
  const table = formatColumns(['FIGURE', 'VALUE'], shown, { width });
  return `${table}${formatDifferences(summary.placements)}${formatOpenPods(summary.open)}`;
}

/** The most differences that are listed; JSON has more of them. */
const DIFFERENCES_MAX = 10;

/** The pods that are on another node than in the recording. */
function formatDifferences(placements: Placements | undefined): string {
  const shown = placements?.differences.slice(0, DIFFERENCES_MAX) ?? [];
  if (shown.length === 0) return '';
  const rows = shown.map(({ pod, there, here }) => [visible(pod), visible(there ?? '-'), visible(here ?? '-')]);
  return `\n${formatColumns(['POD', 'RECORDED', 'HERE'], rows)}`;
}

/** The spaces between two columns. */
const GAP = 3;
const VALUE_MIN = 20;

function wrapped(rows: readonly Row[], width: number): Row[] {
  const room = Math.max(VALUE_MIN, width - GAP - Math.max(...rows.map(([name]) => name.length)));
  return rows.flatMap(([name, value]) => {
    return linesOf(value, room).map((line, i): Row => [i === 0 ? name : '', line]);
  });
}

/** The words of the text in lines of at most this length; a longer word has a line of its own. */
function linesOf(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= length) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The table of several simulations of the same input, side by side; in a terminal of this width values are cut. */
export function formatSimulations(
  titles: readonly string[],
  summaries: readonly SimulationSummary[],
  width?: number,
): string {
  const columns = summaries.map((summary) => new Map(simulationRows(summary)));
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const first = Math.max(...names.map(({ length }) => length));
  const room = width === undefined ? Number.POSITIVE_INFINITY : (width - first) / titles.length - GAP;
  const cut = (text: string) => cutTo(text, Math.max(VALUE_MIN, Math.floor(room)));
  return formatColumns(
    ['FIGURE', ...titles.map(cut)],
    names.map((name) => [name, ...columns.map((column) => cut(column.get(name) ?? '-'))]),
  );
}

function placementRows(placements: Placements | undefined): Row[] {
  if (placements === undefined) return [];
  const { same, elsewhere, onlyThere, onlyHere } = placements;
  const others = [
    [elsewhere, 'elsewhere'],
    [onlyThere, 'only in the recording'],
    [onlyHere, 'only here'],
  ] as const;
  const text = others.flatMap(([count, what]) => (count === 0 ? [] : [`, ${whole(count)} ${what}`])).join('');
  return [['placed as recorded', `${whole(same)} of ${whole(same + elsewhere + onlyThere + onlyHere)}${text}`]];
}

export function simulationRows(summary: SimulationSummary): Row[] {
  const { pods, jobs, utilisation, faults, missedFaults, log, nodesNotReady } = summary;
  const counted = [...new Set([...Object.keys(faults), ...Object.keys(missedFaults)])].map((name): Row => {
    const missed = missedFaults[name] ?? 0;
    return [
      `fault ${name}`,
      `${whole(faults[name] ?? 0)}${missed > 0 ? `, ${whole(missed)} found nothing to strike` : ''}`,
    ];
  });
  const shares = Object.entries(utilisation).map(([name, { average, peak }]): Row => {
    return [`${name} requested`, `${percent(average)} on average, ${percent(peak)} at most`];
  });
  const capacity = Object.entries(summary.capacity).map(([name, amounts]): Row => {
    return [`${name} of ready nodes`, capacityText(name, amounts)];
  });
  return [
    ['ended', `${summary.end} after ${durationText(summary.simulatedSeconds)} (${summary.reason})`],
    ['seed', String(summary.seed)],
    ...placementRows(summary.placements),
    ['nodes', `${whole(summary.nodes)}${nodesNotReady > 0 ? `, ${whole(nodesNotReady)} of them not ready` : ''}`],
    ...(['created', 'scheduled', 'succeeded', 'failed', 'evicted', 'deleted'] as const).map((name): Row => {
      return [`pods ${name}`, whole(pods[name])];
    }),
    ['pods pending at the end', whole(pods.pending)],
    ['pods running at the end', whole(pods.running)],
    ...(pods.unreachable === 0 ? [] : [['pods on nodes that do not answer', whole(pods.unreachable)] as const]),
    ...(jobs.created === 0 ? [] : jobRows(summary)),
    ['scheduling latency', latencyText(summary)],
    ...shares,
    ...capacity,
    ...counted,
    ...schedulerRows(summary),
    ['errors reported', whole(summary.reportedErrors)],
    ['event log', `${whole(log.lines)} lines, sha256 ${log.sha256}`],
  ];
}

/** What several schedulers have done. */
function schedulerRows({ schedulers }: SimulationSummary): Row[] {
  if (schedulers === undefined) return [];
  const { each, podsPerSecond, spanSeconds, conflicts, retries, attempts, handedOn } = schedulers;
  const busy = each.map(({ busyShare }) => (busyShare === null ? '-' : percent(busyShare)));
  return [
    ['schedulers', `${each.length}, busy ${busy.join(', ')}`],
    [
      'throughput',
      podsPerSecond === null ? '-' : `${short(podsPerSecond)} pods/s; all bindings took ${seconds(spanSeconds)}`,
    ],
    ['attempts', `${whole(attempts)}, ${whole(retries)} of them to be repeated`],
    ['conflicts', `${whole(conflicts)} bindings came too late`],
    ...(handedOn === 0 ? [] : [['handed on to another scheduler', whole(handedOn)] as const]),
  ];
}

function jobRows({ jobs }: SimulationSummary): Row[] {
  const { durationSeconds: times, makespanSeconds } = jobs;
  const counts = (['created', 'complete', 'failed', 'active', 'deleted'] as const).map((name): Row => {
    return [`jobs ${name}`, whole(jobs[name])];
  });
  if (times === null) return counts;
  const percentilesText = ({ p50, p90, p99, max }: typeof times) =>
    `p50 ${seconds(p50)}, p90 ${seconds(p90)}, p99 ${seconds(p99)}, max ${seconds(max)}`;
  // One queue has the figures of all Jobs.
  const queues = jobs.queues.length < 2 ? [] : jobs.queues;
  const byQueue = queues.map(({ queue, created, durationSeconds }): Row => {
    const of = `of ${whole(created)}`;
    return [`time of a job in ${queue}`, durationSeconds === null ? of : `${percentilesText(durationSeconds)} (${of})`];
  });
  const end: readonly Row[] = makespanSeconds === null ? [] : [['all jobs done after', seconds(makespanSeconds)]];
  return [...counts, ['time of a job', percentilesText(times)], ...byQueue, ...end];
}

const BYTES: ReadonlySet<string> = new Set(['memory', 'ephemeral-storage']);

function capacityText(name: string, { left, lost, mostLost }: Capacity): string {
  const text = (amount: number) => (BYTES.has(name) ? `${short(amount / 2 ** 30)} GiB` : short(amount));
  return `${text(left)} left at the end, ${text(lost)} lost, ${text(mostLost)} lost at most`;
}

function latencyText({ schedulingLatencySeconds: latency }: SimulationSummary): string {
  if (latency === null) return '-';
  const { p50, p90, p99, max, waiting } = latency;
  const still = waiting === 0 ? '' : ` (${whole(waiting)} still waiting, counted up to the end)`;
  return `p50 ${seconds(p50)}, p90 ${seconds(p90)}, p99 ${seconds(p99)}, max ${seconds(max)}${still}`;
}

/** A duration to the millisecond. */
export function durationText(value: number): string {
  return formatDuration(BigInt(Math.round(value * 1000)) * 1_000_000n);
}

function seconds(value: number): string {
  return durationText(value);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

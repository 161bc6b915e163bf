import type { BarsSection, Section } from '../../report/sections.ts';
import type { SimulationSummary } from '../../simulation/summary.ts';
import { type ReportedSimulation, titleOfRun } from './reported-simulation.ts';

type Spread = Readonly<Record<'p50' | 'p90' | 'p99' | 'max', number>>;
const PERCENTILES = ['p50', 'p90', 'p99', 'max'] as const;

/** How long pods waited for a node, and how long Jobs took. */
export function latencySections(simulations: readonly ReportedSimulation[]): readonly Section[] {
  const bars = (title: string, note: string, of: (summary: SimulationSummary) => Spread | null): BarsSection[] => {
    const series = simulations.map((each) => {
      const spread = of(each.summary);
      const values = PERCENTILES.map((name) => spread?.[name] ?? null);
      return { name: each.title === '' ? title : each.title, values };
    });
    if (series.every(({ values }) => values.every((value) => value === null))) return [];
    const head = { kind: 'bars', group: 'Latency', title, note, isNarrow: true, unit: 'seconds' } as const;
    return [{ ...head, categories: ['half', '90%', '99%', 'all'].map((share) => `${share} within`), series }];
  };
  return [
    ...bars(
      'Scheduling latency',
      'From the creation of a pod to its binding; for those that still wait, to the end.',
      ({ schedulingLatencySeconds }) => schedulingLatencySeconds,
    ),
    ...bars('Time of a Job', 'From its creation to its end.', ({ jobs }) => jobs.durationSeconds),
  ];
}

/** A row for each controller of pods, with the times of Jobs. */
export function workloadSections({ observed, title, startMillis }: ReportedSimulation): readonly Section[] {
  if (observed === null) return [];
  const { workloads } = observed.observation;
  const all = [...workloads.all];
  if (all.length === 0) return [];
  const seconds = (millis: number): number => millis / 1000;
  const leftOut = workloads.leftOut > 0 ? ' Pods of later ones are not listed.' : '';
  return [
    {
      ...{
        kind: 'table',
        group: 'Workloads',
        title: titleOfRun(title, 'Jobs and other controllers of pods'),
      },
      note: `Waiting is the time from the creation of a pod to its binding.${leftOut}`,
      columns: [
        ...[{ title: 'Name' }, { title: 'Kind' }, { title: 'Created after', unit: 'seconds' as const }],
        ...['Pods', 'Scheduled'].map((name) => ({ title: name, unit: 'count' as const })),
        ...['Mean wait', 'Longest wait', 'First pod after', 'Took'].map((name) => ({
          title: name,
          unit: 'seconds' as const,
        })),
        { title: 'Outcome' },
      ],
      rows: all.map((each) => [
        ...[each.name, each.kind, seconds(each.createdMillis - startMillis), each.pods, each.scheduled],
        each.scheduled > 0 ? seconds(each.waitMillisSum / each.scheduled) : null,
        each.scheduled > 0 ? seconds(each.mostWaitMillis) : null,
        each.firstScheduledMillis === null ? null : seconds(each.firstScheduledMillis - each.createdMillis),
        each.endMillis === null ? null : seconds(each.endMillis - each.createdMillis),
        each.outcome,
      ]),
    },
  ];
}

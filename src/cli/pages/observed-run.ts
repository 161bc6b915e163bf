import type { NodeFrame, RunObservation } from '../../simulation/observation/run-observation.ts';
import { POD_EVENTS, QUEUES } from '../../simulation/observation/run-observation.ts';
import type { SeriesByName } from '../../simulation/statistics/cluster-statistics.ts';
import type { TimelinePoint } from '../../simulation/statistics/timeline.ts';

/** What was observed of a run, as series over time. */
export interface ObservedRun {
  readonly events: {
    readonly names: readonly string[];
    readonly widthMillis: number;
    readonly counts: readonly (readonly number[])[];
  };
  readonly queue: SeriesByName;
  readonly pendingByReason: SeriesByName;
  readonly packing: SeriesByName;
  readonly fragmentation: SeriesByName;
  /** What is requested of each zone's cpu; null without zones. */
  readonly zones: SeriesByName | null;
  readonly frames: readonly TimelinePoint<NodeFrame>[];
  readonly faults: RunObservation['faults'];
  readonly observation: RunObservation;
}

/** The reasons that have a line of their own; the others share one. */
const REASONS_SHOWN = 7;
const ZONES_SHOWN = 8;

export function observedRun(observation: RunObservation): ObservedRun {
  const { events, loads, faults } = observation;
  const frames = observation.frames();
  const shown = loads.metrics.map((name, m) => ({ name, m })).filter(({ m }) => isRequested(frames, m));
  return {
    events: { names: POD_EVENTS, widthMillis: events.widthMillis, counts: events.counts() },
    queue: { names: QUEUES, points: observation.queueDepths() },
    pendingByReason: pendingByReason(observation),
    packing: {
      names: ['nodes with pods', ...shown.map(({ name }) => `${name} of these`)],
      points: frames.map(({ atMillis, values: { packing } }) => {
        return { atMillis, values: [packing.nodesInUse, ...shown.map(({ m }) => packing.filled[m] ?? 0)] };
      }),
    },
    fragmentation: {
      names: shown.filter(({ name }) => name !== 'pods').map(({ name }) => name),
      points: frames.map(({ atMillis, values: { packing } }) => {
        const values = shown.filter(({ name }) => name !== 'pods').map(({ m }) => packing.fragmented[m] ?? 0);
        return { atMillis, values };
      }),
    },
    zones: zoneSeries(observation, frames),
    ...{ frames, faults, observation },
  };
}

/** Whether any pod ever requested it. */
function isRequested(frames: readonly TimelinePoint<NodeFrame>[], metric: number): boolean {
  return frames.some(({ values }) => (values.packing.filled[metric] ?? 0) > 0);
}

/** The reasons for which most pods waited for the longest time, and the rest. */
function pendingByReason(observation: RunObservation): SeriesByName {
  const points = observation.pendingByReason();
  const { reasons } = observation.reasons;
  const order = [...reasons.keys()].sort((a, b) => (reasons[b]?.most ?? 0) - (reasons[a]?.most ?? 0));
  const [own, rest] = [order.slice(0, REASONS_SHOWN), order.slice(REASONS_SHOWN)];
  return {
    names: [...own.map((i) => reasons[i]?.reason ?? ''), ...(rest.length > 0 ? [`${rest.length} other reasons`] : [])],
    points: points.map(({ atMillis, values }) => {
      const others = rest.reduce((sum, i) => sum + (values[i] ?? 0), 0);
      return { atMillis, values: [...own.map((i) => values[i] ?? 0), ...(rest.length > 0 ? [others] : [])] };
    }),
  };
}

function zoneSeries({ loads }: RunObservation, frames: readonly TimelinePoint<NodeFrame>[]): SeriesByName | null {
  const zones = loads.zones.map((name, zone) => ({ name, zone })).filter(({ name }) => name !== '');
  const cpu = loads.metrics.indexOf('cpu');
  if (zones.length < 2 || cpu < 0) return null;
  const shown = zones.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, ZONES_SHOWN);
  return {
    names: shown.map(({ name }) => name),
    points: frames.map(({ atMillis, values }) => {
      return { atMillis, values: shown.map(({ zone }) => values.zoneShares[zone]?.[cpu] ?? 0) };
    }),
  };
}

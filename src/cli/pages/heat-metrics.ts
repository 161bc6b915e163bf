import type { HeatMetric, Unit } from '../../report/sections.ts';
import type { NodeLoads } from '../../simulation/observation/node-loads.ts';

const BYTES: ReadonlySet<string> = new Set(['memory', 'ephemeral-storage']);
const ORDER = ['cpu', 'memory', '', 'pods', 'ephemeral-storage'];

/** The metrics of which a node offers something: cpu and memory first, then devices, then pods. */
export function shownMetrics({ metrics, offered }: NodeLoads): readonly number[] {
  const rank = (m: number): number => {
    const index = ORDER.indexOf(metrics[m] ?? '');
    return index < 0 ? ORDER.indexOf('') : index;
  };
  const found = [...metrics.keys()].filter((m) => offered[m]?.some((amount) => amount > 0));
  return found.sort((a, b) => rank(a) - rank(b));
}

export function heatMetrics(loads: NodeLoads): readonly HeatMetric[] {
  return shownMetrics(loads).map((m) => {
    const name = loads.metrics[m] ?? '';
    const offered = loads.offered[m] ?? [];
    return { name, unit: unitOf(name), offered: name === 'cpu' ? offered.map((milli) => milli / 1000) : offered };
  });
}

/** The percents of these metrics for every node; nodes that came later were empty. */
export function shownPercents(
  loads: NodeLoads,
  percents: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  return shownMetrics(loads).map((m) => {
    const values = percents[m] ?? [];
    return [...values, ...new Array<number>(loads.names.length - values.length).fill(0)];
  });
}

function unitOf(name: string): Unit {
  if (name === 'cpu') return 'cores';
  return BYTES.has(name) ? 'bytes' : 'count';
}

import type { BarsSection, HeatMetric, HeatSection, Section, Unit } from '../../report/sections.ts';
import { durationText } from '../../report/units.ts';
import type { ObservedRun } from './observed-run.ts';
import type { ReportedSimulation } from './reported-simulation.ts';

/** Tenths of what nodes offer. */
const BANDS = 10;
const BYTES: ReadonlySet<string> = new Set(['memory', 'ephemeral-storage']);

/** The map of the nodes, their zones, and how many are how full. */
export function nodeSections({ observed, title, startMillis }: ReportedSimulation): readonly Section[] {
  if (observed === null || observed.observation.loads.names.length === 0) return [];
  const group = title === '' ? 'Nodes' : `Nodes, ${title}`;
  return [heatMap(observed, group, startMillis), ...zoneTable(observed, group), ...fillBars(observed, group)];
}

/** The metrics of which a node offers something; cpu first, then memory, devices, pods. */
function metricsOf({ observation: { loads } }: ObservedRun): readonly number[] {
  const offered = [...loads.metrics.keys()].filter((m) => loads.offered[m]?.some((amount) => amount > 0));
  const rank = (m: number): number =>
    ['cpu', 'memory', '', 'pods', 'ephemeral-storage'].indexOf(loads.metrics[m] ?? '');
  return offered.sort((a, b) => (rank(a) < 0 ? 2 : rank(a)) - (rank(b) < 0 ? 2 : rank(b)));
}

function heatMap(observed: ObservedRun, group: string, startMillis: number): HeatSection {
  const { loads } = observed.observation;
  const metrics = metricsOf(observed);
  return {
    ...{ kind: 'heat', group, title: 'What is requested of each node', nodes: loads.names },
    note: 'A square is a node; the stronger its colour, the more of it is requested. The slider moves in time.',
    groupOfNode: loads.zoneOf,
    groups: loads.zones,
    metrics: metrics.map((m): HeatMetric => {
      const name = loads.metrics[m] ?? '';
      const offered = loads.offered[m] ?? [];
      return { name, unit: unitOf(name), offered: name === 'cpu' ? offered.map((milli) => milli / 1000) : offered };
    }),
    frames: observed.frames.map(({ atMillis, values }) => {
      const x = (atMillis - startMillis) / 1000;
      return {
        ...{ name: `after ${durationText(x)}`, x },
        percents: metrics.map((m) => padded(values.percents[m] ?? [], loads.names.length)),
        lost: values.lost,
      };
    }),
  };
}

function unitOf(name: string): Unit {
  if (name === 'cpu') return 'cores';
  return BYTES.has(name) ? 'bytes' : 'count';
}

/** Nodes that came later were empty before. */
function padded(values: readonly number[], length: number): readonly number[] {
  return values.length >= length ? values : [...values, ...new Array(length - values.length).fill(0)];
}

function zoneTable(observed: ObservedRun, group: string): readonly Section[] {
  const { loads } = observed.observation;
  if (loads.zones.filter((zone) => zone !== '').length < 2) return [];
  const metrics = metricsOf(observed);
  const shares = observed.frames.at(-1)?.values.zoneShares ?? [];
  const rows = [...loads.zones.keys()]
    .map((zone) => {
      const nodes = [...loads.names.keys()].filter((node) => loads.zoneOf[node] === zone);
      const ready = nodes.filter((node) => !loads.lost.has(node));
      const pods = nodes.reduce((sum, node) => sum + (loads.podCounts[node] ?? 0), 0);
      const name = loads.zones[zone] || 'without a zone';
      return { nodes, cells: [name, nodes.length, ready.length, pods, ...metrics.map((m) => shares[zone]?.[m] ?? 0)] };
    })
    .filter(({ nodes }) => nodes.length > 0);
  return [
    {
      ...{
        kind: 'table',
        group,
        title: 'Zones at the end',
        note: 'Shares are of what the ready nodes of a zone offer.',
      },
      columns: [
        { title: 'Zone' },
        ...['Nodes', 'Ready', 'Pods'].map((name) => ({ title: name, unit: 'count' as const })),
        ...metrics.map((m) => ({ title: `${loads.metrics[m]} requested`, unit: 'share' as const })),
      ],
      rows: rows.map(({ cells }) => cells),
    },
  ];
}

/** How many ready nodes are how full at the end. */
function fillBars(observed: ObservedRun, group: string): readonly Section[] {
  const { loads } = observed.observation;
  const last = observed.frames.at(-1)?.values;
  const shown = metricsOf(observed).filter((m) => loads.metrics[m] !== 'pods');
  return shown.map((m): BarsSection => {
    const counts = new Array<number>(BANDS + 1).fill(0);
    for (const [node, percent] of (last?.percents[m] ?? []).entries()) {
      if (loads.lost.has(node) || (loads.offered[m]?.[node] ?? 0) === 0) continue;
      const band = percent <= 0 ? 0 : Math.min(BANDS, Math.ceil((percent * BANDS) / 100));
      counts[band] = (counts[band] as number) + 1;
    }
    const width = 100 / BANDS;
    return {
      ...{
        kind: 'bars',
        group,
        title: `Nodes by ${loads.metrics[m]} requested at the end`,
        isNarrow: true,
        unit: 'count',
      },
      categories: counts.map((_, band) => (band === 0 ? 'nothing' : `to ${band * width}%`)),
      series: [{ name: 'nodes', values: counts }],
    };
  });
}

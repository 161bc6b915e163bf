import type { BarsSection, HeatSection, Section } from '../../report/sections.ts';
import { durationText } from '../../report/units.ts';
import { heatMetrics, shownMetrics, shownPercents } from './heat-metrics.ts';
import type { ObservedRun } from './observed-run.ts';
import { type ReportedSimulation, titleOfRun } from './reported-simulation.ts';

/** Tenths of what nodes offer. */
const BANDS = 10;

/** The map of the nodes, their zones, and how many are how full. */
export function nodeSections({ observed, title, startMillis }: ReportedSimulation): readonly Section[] {
  if (observed === null || observed.observation.loads.names.length === 0) return [];
  const sections = [heatMap(observed, startMillis), ...zoneTable(observed), ...fillBars(observed)];
  return sections.map((section) => ({ ...section, group: 'Nodes', title: titleOfRun(title, section.title) }));
}

function heatMap(observed: ObservedRun, startMillis: number): HeatSection {
  const { loads } = observed.observation;
  return {
    ...{ kind: 'heat', title: 'What is requested of each node', nodes: loads.names },
    note: 'A square is a node; the stronger its colour, the more of it is requested. The slider moves in time.',
    groupOfNode: loads.zoneOf,
    groups: loads.zones,
    metrics: heatMetrics(loads),
    frames: observed.frames.map(({ atMillis, values }) => {
      const x = (atMillis - startMillis) / 1000;
      return {
        ...{ name: `after ${durationText(x)}`, x },
        percents: shownPercents(loads, values.percents),
        lost: values.lost,
      };
    }),
  };
}

function zoneTable(observed: ObservedRun): readonly Section[] {
  const { loads } = observed.observation;
  if (loads.zones.filter((zone) => zone !== '').length < 2) return [];
  const metrics = shownMetrics(loads);
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
function fillBars(observed: ObservedRun): readonly Section[] {
  const { loads } = observed.observation;
  const last = observed.frames.at(-1)?.values;
  const shown = shownMetrics(loads).filter((m) => loads.metrics[m] !== 'pods');
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
        title: `Nodes by ${loads.metrics[m]} requested at the end`,
        isNarrow: true,
        unit: 'count',
      },
      categories: counts.map((_, band) => (band === 0 ? 'nothing' : `to ${band * width}%`)),
      series: [{ name: 'nodes', values: counts }],
    };
  });
}

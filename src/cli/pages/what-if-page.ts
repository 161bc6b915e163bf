import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import type { ExplainedGroup, Fact, HeatSection, ReasonGroup, ReportPage, Section } from '../../report/sections.ts';
import { formatValue } from '../../report/units.ts';
import { NodeLoads } from '../../simulation/observation/node-loads.ts';
import { type ObservedDecision, observedDecision } from '../../simulation/observation/pending-reasons.ts';
import { requestsOf } from '../../simulation/statistics/pod-counts.ts';
import type { FateGroup, Outcome } from '../../what-if/fate.ts';
import type { Witness } from '../../what-if/trial.ts';
import type { TrialScheduler } from '../../what-if/trial-scheduler.ts';
import { answerLines, type WhatIfResult } from '../output/what-if.ts';
import { heatMetrics, shownPercents } from './heat-metrics.ts';
import { explainedGroup } from './reason-sections.ts';

/** Pods that are explained, one for each reason. */
const EXPLAINED_MAX = 40;
const PODS_NAMED = 500;

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  pending: 'Without a node',
  lost: 'Lost for good',
  blocked: 'Not evicted',
  withNode: 'Gone with their node',
  removed: 'Removed',
  placed: 'New or pending, with a node',
  moved: 'With another node',
};

/** What a page shows of the cluster before and after. */
export class WhatIfWitness implements Witness {
  readonly loads = new NodeLoads();
  readonly frames: HeatSection['frames'][number][] = [];
  readonly decisions = new Map<string, ObservedDecision>();

  before(scheduler: TrialScheduler): void {
    this.#note('before', scheduler);
  }

  after(scheduler: TrialScheduler, waiting: readonly Pod[], explained: readonly string[]): void {
    this.#note('after', scheduler);
    const wanted = new Set(explained.slice(0, EXPLAINED_MAX));
    for (const pod of waiting) {
      const key = podKey(pod);
      const explanation = wanted.has(key) ? scheduler.explain(pod) : undefined;
      if (explanation !== undefined) this.decisions.set(key, observedDecision(key, 0, explanation));
    }
  }

  #note(name: string, scheduler: TrialScheduler): void {
    const { loads } = this;
    for (const index of loads.names.keys()) loads.lost.add(index);
    for (const { node } of scheduler.nodes()) loads.setNode(node);
    const placed = scheduler.pods().filter(({ node }) => node !== null);
    for (const { pod, node } of placed) loads.charge(node ?? '', requestsOf(pod), 1);
    this.frames.push({ name, x: null, percents: loads.percents(), lost: [...loads.lost] });
    for (const { pod, node } of placed) loads.charge(node ?? '', requestsOf(pod), -1);
  }
}

/** The page of a question: its answer, the pods concerned and why, and the nodes before and after. */
export function whatIfPage(result: WhatIfResult, witness: WhatIfWitness, origin: readonly Fact[]): ReportPage {
  const { nodes, pods, counts, notRunning, groups } = result;
  const [about, ...more] = answerLines(result);
  const shown = (count: number): string => formatValue('count', count);
  return {
    title: 'Berth what-if',
    about,
    facts: origin,
    highlights: [
      { name: 'Nodes', value: shown(nodes.after), note: `${shown(nodes.before)} before` },
      { name: 'Pods with a node', value: shown(pods.placedAfter), note: `${shown(pods.placedBefore)} before` },
      {
        ...{
          name: 'Pods without a node',
          value: shown(pods.pendingAfter),
          note: `${shown(pods.pendingBefore)} before`,
        },
        isBad: pods.pendingAfter > pods.pendingBefore,
      },
      { name: 'Are to run and do not', value: shown(notRunning), note: 'of the pods concerned', isBad: notRunning > 0 },
    ],
    sections: [
      ...(more.length === 0 ? [] : [{ kind: 'text', title: 'Answer', paragraphs: more } as const]),
      ...outcomeBars(counts),
      ...fateReasons(groups, witness),
      ...nodeMap(witness),
      ...fatePods(groups),
    ],
  };
}

function outcomeBars(counts: WhatIfResult['counts']): readonly Section[] {
  const found = (Object.keys(OUTCOMES) as Outcome[]).filter((outcome) => (counts[outcome] ?? 0) > 0);
  if (found.length === 0) return [];
  return [
    {
      ...{ kind: 'bars', title: 'Pods concerned', unit: 'count', categories: found.map((each) => OUTCOMES[each]) },
      series: [{ name: 'pods', values: found.map((outcome) => counts[outcome] ?? 0) }],
    },
  ];
}

function fateReasons(groups: readonly FateGroup[], { decisions, loads }: WhatIfWitness): readonly Section[] {
  if (groups.length === 0) return [];
  const indexes = new Map(loads.names.map((name, i) => [name, i]));
  const shown = groups.map(({ outcome, cause, reason, count, pods }): ReasonGroup => {
    const decision = decisions.get(pods[0]?.pod ?? '');
    const explained: { explained?: ExplainedGroup } =
      decision === undefined ? {} : { explained: explainedGroup(decision, indexes, []) };
    return {
      reason: `${OUTCOMES[outcome]}: ${[cause, reason].filter((text) => text !== '').join('; ')}`,
      count,
      pods: pods.slice(0, PODS_NAMED).map(({ pod, from, to }) => `${pod} (${from ?? '–'} → ${to ?? '–'})`),
      ...explained,
    };
  });
  const note = 'A reason opens to its pods, with their nodes before and after, and to what each node said about one.';
  return [{ kind: 'reasons', title: 'What becomes of them, and why', note, groups: shown }];
}

function nodeMap({ loads, frames }: WhatIfWitness): readonly Section[] {
  if (loads.names.length === 0) return [];
  return [
    {
      ...{ kind: 'heat', group: 'Nodes', title: 'What is requested of each node', nodes: loads.names },
      note: 'A square is a node; the stronger its colour, the more is requested. The slider shows before and after.',
      ...{ groupOfNode: loads.zoneOf, groups: loads.zones },
      metrics: heatMetrics(loads),
      frames: frames.map((frame) => ({ ...frame, percents: shownPercents(loads, frame.percents) })),
    },
  ];
}

/** Rows beyond these would be most of the page; the command prints all of them as JSON. */
const ROWS_MAX = 20_000;

export function fatePods(groups: readonly FateGroup[]): readonly Section[] {
  const rows = groups.flatMap(({ outcome, cause, reason, pods }) =>
    pods.map(({ pod, from, to, preemptedBy }) => {
      const why = [cause, preemptedBy ?? '', reason].filter((text) => text !== '').join('; ');
      return [pod, OUTCOMES[outcome], from, to, why];
    }),
  );
  if (rows.length === 0) return [];
  const columns = ['Pod', 'Outcome', 'From', 'To', 'Why'].map((title) => ({ title }));
  const note =
    rows.length > ROWS_MAX
      ? `The first ${formatValue('count', ROWS_MAX)} of ${formatValue('count', rows.length)}.`
      : undefined;
  return [
    { kind: 'table', title: 'Pods', columns, rows: rows.slice(0, ROWS_MAX), ...(note !== undefined && { note }) },
  ];
}

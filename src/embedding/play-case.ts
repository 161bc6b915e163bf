import type { Pod } from '../api/pod.ts';
import type { Explanation, ScheduleResult } from '../core/decision/result.ts';
import { Scheduler } from '../core/scheduler.ts';
import type { SchedulerOptions } from '../core/scheduler-options.ts';
import { checkCase, checkExpected } from './case-checks.ts';
import type { GoldenCase, GoldenDecision } from './golden-case.ts';

/** One way to the same decisions. */
interface Way {
  readonly name: string;
  readonly options: Pick<SchedulerOptions, 'engine' | 'index'>;
  readonly isBatch: boolean;
}

/** The readable specification, whose decisions are those that are recorded. */
const SPECIFICATION = { engine: 'reference' } as const;

const WAYS: readonly Way[] = [
  { name: 'reference', options: SPECIFICATION, isBatch: false },
  ...(['simd', 'scalar'] as const).flatMap((engine) =>
    [true, false].flatMap((index) =>
      [false, true].map((isBatch) => ({
        name: `${engine}, index ${index ? 'on' : 'off'}, ${isBatch ? 'in a batch' : 'one by one'}`,
        options: { engine, index },
        isBatch,
      })),
    ),
  ),
];

/**
 * The decisions of the case on the reference engine, to be looked at and kept. `options`: plugins, ties, ... Errors:
 * those of `Scheduler`.
 */
export function recordCase(given: GoldenCase, options: SchedulerOptions = {}): GoldenDecision[] {
  checkCase(given);
  return playOneByOne(given, { ...options, ...SPECIFICATION });
}

/**
 * Plays the case on every engine, with and without the index, one pod at a time and as a batch, and returns how the
 * decisions differ from `expected`, a line each: none is a pass. Without `expected` the reference engine is
 * the judge, so that a plugin is held against itself: a wrong `filterReads` or `dependsOn` shows as a difference.
 * Errors: those of `Scheduler`.
 */
export function playCase(
  given: GoldenCase,
  options: SchedulerOptions = {},
  expected: readonly GoldenDecision[] = recordCase(given, options),
): string[] {
  checkCase(given);
  checkExpected(expected);
  return WAYS.flatMap((way) => {
    const wayOptions = { ...options, ...way.options };
    const lines = way.isBatch
      ? differingNodes(expected, playBatch(given, wayOptions))
      : differingDecisions(expected, playOneByOne(given, wayOptions));
    return lines.map((line) => `${given.name} (${way.name}): ${line}`);
  });
}

function playOneByOne(given: GoldenCase, options: SchedulerOptions): GoldenDecision[] {
  const scheduler = clusterOf(given, options);
  return given.schedule.map((pod) => {
    const explanation = scheduler.explain(pod);
    return decisionOf(pod, explanation, scheduler.schedule(pod));
  });
}

function playBatch(given: GoldenCase, options: SchedulerOptions): (string | null)[] {
  const scheduler = clusterOf(given, options);
  return [...scheduler.scheduleBatch(given.schedule)].map(nodeOf);
}

function clusterOf({ nodes, pods = [], objects = [] }: GoldenCase, options: SchedulerOptions): Scheduler {
  const scheduler = new Scheduler(options);
  for (const { kind, object } of objects) scheduler.setObject(kind, object);
  for (const node of nodes) scheduler.addNode(node);
  for (const pod of pods) scheduler.addPod(pod);
  return scheduler;
}

function decisionOf({ metadata }: Pod, explanation: Explanation, result: ScheduleResult): GoldenDecision {
  const rejected: Record<string, string> = {};
  const scores: Record<string, Record<string, number>> = {};
  for (const { node, rejected: status, scores: given } of explanation.nodes) {
    if (status !== null) rejected[node] = `${status.plugin}: ${status.reasons.join(', ')}`;
    else if (given.length > 0)
      scores[node] = Object.fromEntries(given.map(({ plugin, weighted }) => [plugin, weighted]));
  }
  return {
    pod: `${metadata?.namespace ?? 'default'}/${metadata?.name}`,
    status: result.status,
    node: nodeOf(result),
    message: messageOf(result),
    rejected,
    scores,
    victims: result.status === 'unschedulable' ? (result.victims ?? []) : [],
  };
}

function nodeOf(result: ScheduleResult): string | null {
  if (result.status === 'scheduled') return result.node;
  return result.status === 'unschedulable' ? (result.nominatedNode ?? null) : null;
}

function messageOf(result: ScheduleResult): string {
  if (result.status === 'gated') return `${result.plugin}: ${result.reasons.join(', ')}`;
  return 'message' in result ? result.message : '';
}

function differingDecisions(expected: readonly GoldenDecision[], actual: readonly GoldenDecision[]): string[] {
  return [
    ...differingLength(expected, actual),
    ...actual.flatMap((decision, i) => {
      const wanted = expected[i];
      if (wanted === undefined) return [];
      const members = Object.keys(decision) as (keyof GoldenDecision)[];
      return members.flatMap((member) => differing(`${decision.pod} ${member}`, wanted[member], decision[member]));
    }),
  ];
}

function differingNodes(expected: readonly GoldenDecision[], actual: readonly (string | null)[]): string[] {
  return [
    ...differingLength(expected, actual),
    ...expected.flatMap(({ pod, node }, i) => (i < actual.length ? differing(`${pod} node`, node, actual[i]) : [])),
  ];
}

function differingLength({ length: expected }: readonly unknown[], { length: actual }: readonly unknown[]): string[] {
  return differing('number of decisions', expected, actual);
}

function differing(what: string, expected: unknown, actual: unknown): string[] {
  const [wanted, found] = [sortedJson(expected), sortedJson(actual)];
  return wanted === found ? [] : [`${what} is ${found}, expected ${wanted}`];
}

/** Members of recorded objects may come in any order, since files are edited by hand. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

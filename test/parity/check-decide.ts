import { type EngineName, type Explanation, Scheduler, type Status } from '../../src/index.ts';
import { preemptionDifferences } from './check-preemption.ts';
import { type Difference, differences } from './differences.ts';
import { addObjects, configurationOf, type Expectation, type RecordedCase } from './read-cases.ts';

/** Builds the case's cluster, asks for an explanation and for the decision itself, and compares both. */
export function checkDecide(recorded: RecordedCase, engine: EngineName): Difference[] {
  const { objects, pod, expect } = recorded;
  if (pod === undefined || expect === undefined) return [{ field: 'case', expected: 'pod and expect', got: 'neither' }];
  const scheduler = new Scheduler({ engine, ...configurationOf(recorded) });
  addObjects(scheduler, objects);

  const explanation = scheduler.explain(pod);
  const found = differences('expect', comparable(expect), comparable(asExpectation(explanation)));

  const { message } = expect;
  const result = scheduler.schedule(pod);
  found.push(...differences('schedule.status', expect.status, result.status));
  if (result.status === 'scheduled') {
    const winner = (objects.nodes ?? [])
      .map((node) => node.metadata?.name)
      .find((name) => expect.best?.includes(name ?? ''));
    found.push(...differences('schedule.node', winner, result.node));
    found.push(...differences('schedule.ties', expect.best?.length, result.ties));
  } else if ('message' in result) {
    found.push(...differences('schedule.message', message, result.message));
  }
  found.push(...preemptionDifferences(expect.preemption, explanation, result));
  return found;
}

/** The recorded fields that this version answers for; lists whose order means nothing are sorted. */
function comparable(expect: Expectation): unknown {
  const { message, nodeStatus, ...rest } = expect;
  const { status, nodeOrder, preEnqueueStatus, preFilterStatus, feasible, scoringSkipped } = rest;
  const { rawScores, scores, total, best } = rest;
  return {
    status,
    nodeOrder,
    preEnqueueStatus,
    preFilterStatus,
    feasible,
    scoringSkipped,
    nodeStatus: nodeStatus ?? {},
    rawScores: rawScores ?? {},
    scores: scores ?? {},
    total: total ?? {},
    best: best ?? [],
    message: message ?? '',
  };
}

function asExpectation(explanation: Explanation): Expectation {
  const { status, nodeOrder, preEnqueue, preFilter, nodes, feasible, best, scoringSkipped } = explanation;
  const rejected = nodes.flatMap(({ node, rejected }) =>
    rejected === null ? [] : [[node, asRecorded(rejected)] as const],
  );
  const scores = (pick: 'raw' | 'weighted'): Record<string, Record<string, number>> => {
    const table: Record<string, Record<string, number>> = {};
    for (const { node, scores } of nodes) {
      for (const score of scores) {
        table[score.plugin] ??= {};
        (table[score.plugin] as Record<string, number>)[node] = score[pick];
      }
    }
    return table;
  };
  return {
    status,
    nodeOrder,
    ...(preEnqueue === null ? {} : { preEnqueueStatus: asRecorded(preEnqueue) }),
    ...(preFilter === null ? {} : { preFilterStatus: asRecorded(preFilter) }),
    feasible,
    ...(scoringSkipped ? { scoringSkipped } : {}),
    nodeStatus: Object.fromEntries(rejected),
    rawScores: scores('raw'),
    scores: scores('weighted'),
    total: Object.fromEntries(nodes.flatMap(({ node, total }) => (total === null ? [] : [[node, total]]))),
    best,
    message: status === 'gated' ? '' : explanation.message,
  };
}

function asRecorded({ plugin, code, reasons }: Status): { plugin: string; code: string; reasons: readonly string[] } {
  return { plugin, code, reasons };
}

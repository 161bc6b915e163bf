import { type EngineName, type Explanation, type ScheduleResult, Scheduler, type Status } from '../../src/index.ts';
import { preemptionDifferences } from './check-preemption.ts';
import { type Difference, differences } from './differences.ts';
import { bySnapshot } from './extender/recorded-requests.ts';
import { addObjects, configurationOf, type Expectation, type RecordedCase } from './read-cases.ts';

/** Builds the case's cluster, asks for an explanation and for the decision itself, and compares both. */
export function checkDecide(recorded: RecordedCase, engine: EngineName): Difference[] {
  const { objects, pod, expect } = recorded;
  if (pod === undefined || expect === undefined) return [{ field: 'case', expected: 'pod and expect', got: 'neither' }];
  using scheduler = new Scheduler({ engine, ...configurationOf(recorded) });
  addObjects(scheduler, objects);

  return decisionDifferences(recorded, scheduler.explain(pod), scheduler.schedule(pod));
}

/** Compares the explanation and the result with the recording. */
export function decisionDifferences(
  { objects, expect }: RecordedCase,
  explanation: Explanation,
  result: ScheduleResult,
): Difference[] {
  if (expect === undefined) return [{ field: 'case', expected: 'expect', got: undefined }];
  const found = differences('expect', comparable(expect), comparable(asExpectation(explanation)));
  const { message } = expect;
  found.push(...differences('schedule.status', expect.status, result.status));
  if (result.status === 'scheduled') {
    const winner = (objects.nodes ?? [])
      .map((node) => node.metadata?.name)
      .find((name) => expect.best?.includes(name ?? ''));
    // A node that only an extender knows is in no list.
    found.push(...differences('schedule.node', winner ?? expect.best?.[0], result.node));
    found.push(...differences('schedule.ties', expect.best?.length, result.ties));
  } else if ('message' in result) {
    found.push(...differences('schedule.message', message, result.message));
  }
  if (expect.postFilter === undefined) found.push(...preemptionDifferences(expect.preemption, explanation, result));
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
    // A gated pod was tried all the same.
    preFilterStatus: status === 'gated' ? undefined : preFilterStatus,
    feasible: feasible ?? [],
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
    for (const { node, scores, extenderScores = [] } of nodes) {
      for (const score of scores) {
        table[score.plugin] ??= {};
        (table[score.plugin] as Record<string, number>)[node] = score[pick];
      }
      for (const { extender, weighted } of pick === 'weighted' ? extenderScores : []) {
        table[extender] ??= {};
        (table[extender] as Record<string, number>)[node] = weighted;
      }
    }
    return table;
  };
  return {
    status,
    nodeOrder,
    ...(preEnqueue === null ? {} : { preEnqueueStatus: asRecorded(preEnqueue) }),
    ...(preFilter === null ? {} : { preFilterStatus: asRecorded(preFilter) }),
    // Extenders may turn the order round.
    feasible: bySnapshot(feasible, (name) => name, nodeOrder),
    ...(scoringSkipped ? { scoringSkipped } : {}),
    nodeStatus: Object.fromEntries(rejected),
    rawScores: scores('raw'),
    scores: scores('weighted'),
    total: Object.fromEntries(nodes.flatMap(({ node, total }) => (total === null ? [] : [[node, total]]))),
    best: bySnapshot(best, (name) => name, nodeOrder),
    message: status === 'gated' ? '' : explanation.message,
  };
}

function asRecorded({ plugin, code, reasons }: Status): { plugin: string; code: string; reasons: readonly string[] } {
  return { plugin, code, reasons };
}

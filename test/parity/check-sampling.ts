import { numFeasibleNodesToFind } from '../../src/framework/node-search.ts';
import { type EngineName, type Explanation, type ScheduleResult, Scheduler } from '../../src/index.ts';
import { type Difference, differences } from './differences.ts';
import {
  addObjects,
  configurationOf,
  type RecordedCase,
  type RecordedSamplingStep,
  sequencePods,
} from './read-cases.ts';

/** How many nodes are searched, which of them are found, and where the next search starts. */
export function checkSampling(recorded: RecordedCase, engine: EngineName): Difference[] {
  if (recorded.table !== undefined) return checkTable(recorded);
  const { config, percentageOfNodesToScore = 0 } = recorded;
  const options = config === undefined ? { percentageOfNodesToScore } : configurationOf(recorded);
  using scheduler = new Scheduler({ engine, preemption: false, ...options });
  addObjects(scheduler, recorded.objects);
  const found: Difference[] = [];
  let i = 0;
  for (const pod of sequencePods(recorded)) {
    const explanation = scheduler.explain(pod);
    const step = asSamplingStep(pod.metadata?.name ?? '', explanation, scheduler.schedule(pod));
    found.push(...differences('nodeOrder', recorded.nodeOrder, explanation.nodeOrder));
    found.push(...differences(`samplingSteps[${i}]`, recorded.samplingSteps?.[i], step));
    if (found.length > 0) return found;
    i++;
  }
  return differences('samplingSteps.length', recorded.samplingSteps?.length, i);
}

function checkTable({ table = [] }: RecordedCase): Difference[] {
  return table.flatMap(({ percentageOfNodesToScore, nodes, numFeasibleNodesToFind: expected }) => {
    const got = nodes.map((count) => numFeasibleNodesToFind(percentageOfNodesToScore, count));
    return differences(`table[${percentageOfNodesToScore}]`, expected, got);
  });
}

function asSamplingStep(pod: string, explanation: Explanation, result: ScheduleResult): RecordedSamplingStep {
  const { search, nodeOrder, feasible, nodes } = explanation;
  const positions = new Map(nodeOrder.map((name, i) => [name, i]));
  const step = {
    pod,
    numNodesToFind: search?.numNodesToFind ?? -1,
    startIndex: search?.startIndex ?? -1,
    nextStartIndex: search?.nextStartIndex ?? -1,
    feasibleIdx: feasible.map((name) => positions.get(name) ?? -1),
    rejected: nodes.filter(({ rejected }) => rejected !== null).length,
  };
  if (result.status !== 'scheduled') return { ...step, message: 'message' in result ? result.message : result.status };
  const { node, score, ties = 0 } = result;
  return { ...step, node, ...(score === null ? {} : { score }), ties };
}

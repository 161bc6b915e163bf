import type { Pod } from '../../src/api/pod.ts';
import { type EngineName, type ScheduleResult, Scheduler } from '../../src/index.ts';
import { type Difference, differences } from './differences.ts';
import { addObjects, configurationOf, type RecordedCase, type RecordedStep, sequencePods } from './read-cases.ts';

/** Places the pods one after another; each sees what its predecessors took, pods that do not fit are dropped. */
export async function checkSequence(recorded: RecordedCase, engine: EngineName): Promise<Difference[]> {
  using scheduler = new Scheduler({ engine, preemption: false, ...configurationOf(recorded) });
  addObjects(scheduler, recorded.objects);
  return await sequenceDifferences(recorded, (pod) => scheduler.schedule(pod));
}

export async function sequenceDifferences(
  recorded: RecordedCase,
  schedule: (pod: Pod) => ScheduleResult | Promise<ScheduleResult>,
): Promise<Difference[]> {
  const podsPerNode: Record<string, number> = {};
  const found: Difference[] = [];
  let i = 0;
  for (const pod of sequencePods(recorded)) {
    const result = await schedule(pod);
    if (result.status === 'scheduled') podsPerNode[result.node] = (podsPerNode[result.node] ?? 0) + 1;
    found.push(...differences(`steps[${i}]`, recorded.steps?.[i], asStep(pod.metadata?.name ?? '', result)));
    if (found.length > 0) return found;
    i++;
  }
  found.push(...differences('steps.length', recorded.steps?.length, i));
  return [...found, ...differences('finalPodsPerNode', recorded.finalPodsPerNode, podsPerNode)];
}

function asStep(pod: string, result: ScheduleResult): RecordedStep {
  if (result.status === 'scheduled') {
    const { node, score, feasibleNodes: feasible, ties = 0 } = result;
    return { pod, node, ...(score === null ? {} : { score }), feasible, ties };
  }
  if (result.status === 'unschedulable') return { pod, feasible: 0, message: result.message };
  return { pod, message: JSON.stringify(result) };
}

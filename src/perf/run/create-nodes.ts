import type { NewNode } from './node-factory.ts';
import { inTasks, type RunContext, runDueTasks } from './run-context.ts';

export async function createNodes(
  context: RunContext,
  count: number,
  nodeAt: (index: number) => NewNode,
): Promise<void> {
  await inTasks(context, count, (i) => {
    const { node, csiNode } = nodeAt(i);
    context.store.create('nodes', node);
    if (csiNode !== undefined) context.store.create('csinodes', csiNode);
  });
  await runDueTasks(context);
}

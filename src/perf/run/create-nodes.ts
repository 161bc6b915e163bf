import type { NodeFactory } from './node-factory.ts';
import { inTasks, type RunContext, runDueTasks } from './run-context.ts';

export async function createNodes(context: RunContext, count: number, factory: NodeFactory): Promise<void> {
  await inTasks(context, count, (i) => {
    const { node, csiNode } = factory.at(i);
    context.store.create('nodes', node);
    if (csiNode !== undefined) context.store.create('csinodes', csiNode);
  });
  await runDueTasks(context);
}

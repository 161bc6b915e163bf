import type { Namespace } from '../../api/workloads.ts';
import { unlessRefused } from '../../store/objects/api-error.ts';
import type { NamespacesStep } from '../config/steps.ts';
import { inTasks, type RunContext, runDueTasks } from './run-context.ts';

export async function createNamespaces(context: RunContext, step: NamespacesStep, template: Namespace): Promise<void> {
  await inTasks(context, step.count, (i) => {
    const name = `${step.prefix}-${i}`;
    const namespace = { ...template, metadata: { ...template.metadata, name } };
    unlessRefused(['AlreadyExists'], () => context.store.create('namespaces', namespace));
    if (!context.unawaited.has(name)) context.unawaited.set(name, 0);
  });
  await runDueTasks(context);
}

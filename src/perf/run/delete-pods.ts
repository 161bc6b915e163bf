import { unlessRefused } from '../../store/objects/api-error.ts';
import type { OperationOf } from '../config/operations.ts';
import { isSelected } from './pod-watch.ts';
import { atRate, type RunContext } from './run-context.ts';

/** Deletes the pods that exist now, all at once or at a rate. It waits for the deletes, not for the pods' end. */
export async function deletePods(context: RunContext, operation: OperationOf<'deletePods'>): Promise<void> {
  const { namespace, labelSelector, deletePodsPerSecond, skipWaitToCompletion } = operation;
  const { store, driver } = context;
  const selector = { namespaces: new Set([namespace]), labels: labelSelector };
  const found = store.list('pods', { namespace }).items.filter((pod) => isSelected(pod, selector));
  const names = found.map(({ metadata }) => metadata?.name ?? '');
  // A pod may have been deleted otherwise, or evicted.
  const remove = (name: string) => unlessRefused(['NotFound'], () => store.delete('pods', namespace, name));
  if (deletePodsPerSecond === 0 || names.length === 0) {
    for (const name of names) remove(name);
    return;
  }
  const ticker = atRate(context, deletePodsPerSecond, names.length, (i) => remove(names[i] as string));
  if (!skipWaitToCompletion) await driver.until(() => ticker.isOver(), Number.POSITIVE_INFINITY);
}

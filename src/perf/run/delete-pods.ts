import { isApiError } from '../../store/objects/api-error.ts';
import type { OperationOf } from '../config/operations.ts';
import { isSelected } from './pod-watch.ts';
import type { RunContext } from './run-context.ts';
import { Ticker } from './ticker.ts';

/** Deletes the pods that exist now, all at once or at a rate. It waits for the deletes, not for the pods' end. */
export async function deletePods(context: RunContext, operation: OperationOf<'deletePods'>): Promise<void> {
  const { namespace, labelSelector, deletePodsPerSecond, skipWaitToCompletion } = operation;
  const { store, loop, driver, background } = context;
  const selector = { namespaces: new Set([namespace]), labels: labelSelector };
  const found = store.list('pods', { namespace }).items.filter((pod) => isSelected(pod, selector));
  const names = found.map(({ metadata }) => metadata?.name ?? '');
  const remove = (name: string): void => {
    try {
      store.delete('pods', namespace, name);
    } catch (error) {
      // The pod has been deleted otherwise, or evicted.
      if (!isApiError(error, 'NotFound')) throw error;
    }
  };
  if (deletePodsPerSecond === 0 || names.length === 0) {
    for (const name of names) remove(name);
    return;
  }
  let next = 0;
  const ticker = new Ticker(loop, 1000 / deletePodsPerSecond, () => {
    remove(names[next++] as string);
    return next < names.length ? 'again' : 'over';
  });
  background.push(ticker);
  if (!skipWaitToCompletion) await driver.until(() => ticker.isOver, Number.POSITIVE_INFINITY);
}

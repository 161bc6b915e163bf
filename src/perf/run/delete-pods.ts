import { isApiError } from '../../store/objects/api-error.ts';
import type { DeletePods } from '../config/operations.ts';
import { isSelected } from './pod-watch.ts';
import type { RunContext } from './run-context.ts';
import { Ticker } from './ticker.ts';

/** Those that are there now; all at once, or so many a second. Only the deletes are waited for, not their end. */
export async function deletePods(context: RunContext, operation: DeletePods): Promise<void> {
  const { namespace, labelSelector, deletePodsPerSecond, skipWaitToCompletion } = operation;
  const { store, loop, driver, background } = context;
  const selector = { namespaces: new Set([namespace]), labels: labelSelector };
  const found = store.list('pods', { namespace }).items.filter((pod) => isSelected(pod, selector));
  const names = found.map(({ metadata }) => metadata?.name ?? '');
  const remove = (name: string): void => {
    try {
      store.delete('pods', namespace, name);
    } catch (error) {
      // It has gone by itself, or was evicted.
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

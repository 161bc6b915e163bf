import type { Labels } from '../../api/meta.ts';
import type { OperationOf } from '../config/operations.ts';
import { PerfError } from '../config/perf-error.ts';
import { type RunContext, WAIT_MILLIS_MAX } from './run-context.ts';

export interface AwaitedPods {
  readonly namespace: string;
  readonly labels: Labels;
  readonly count: number;
  readonly stage: OperationOf<'barrier'>['stageRequirement'];
}

/** Waits until `count` pods of the namespace have reached the stage. @throws PerfError when that takes too long */
export async function awaitPods(context: RunContext, { namespace, labels, count, stage }: AwaitedPods): Promise<void> {
  const selector = { namespaces: new Set([namespace]), labels };
  const tally = context.pods.tally(selector);
  const reached = (): number => tally.scheduled + (stage === 'Attempted' ? tally.attempted : 0);
  const isReached = await context.driver.until(() => reached() >= count, WAIT_MILLIS_MAX);
  tally.close();
  if (isReached) return;
  const pending = context.pods.list(selector).find(({ spec }) => !spec?.nodeName);
  const example = pending === undefined ? '' : `; ${namespace}/${pending.metadata?.name} is not`;
  const what = `${reached()} of ${count} pods of ${namespace} are ${stage.toLowerCase()}`;
  throw new PerfError('WorkloadFailed', `${what} after ${WAIT_MILLIS_MAX / 60_000} minutes${example}`);
}

/** Waits for all pods that no operation has waited for, in the named namespaces or in all. @throws PerfError */
export async function barrier(context: RunContext, step: OperationOf<'barrier'>): Promise<void> {
  const { namespaces, labelSelector, stageRequirement } = step;
  const { unawaited } = context;
  const awaited = namespaces.length > 0 ? namespaces : [...unawaited.keys()];
  for (const namespace of awaited) {
    const count = unawaited.get(namespace);
    if (count === undefined) throw new PerfError('WorkloadFailed', `no pods were created in namespace ${namespace}`);
    await awaitPods(context, { namespace, labels: labelSelector, count, stage: stageRequirement });
  }
  if (stageRequirement === 'Scheduled') for (const namespace of awaited) unawaited.set(namespace, 0);
}

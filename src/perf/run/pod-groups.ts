import { PerfError } from '../config/perf-error.ts';
import type { CreatePodGroupsStep, WaitForPodGroupsStep } from '../config/steps.ts';
import { type AnyObjects, createAny } from './any-object.ts';
import { type RunContext, runDueTasks, WAIT_MILLIS_MAX } from './run-context.ts';

/** Creates groups, and waits until the scheduler knows them. */
export async function createPodGroups(
  context: RunContext,
  step: CreatePodGroupsStep,
  groups: AnyObjects,
): Promise<void> {
  await createAny(context, step, groups);
  await waitForPodGroups(context, step);
}

/** Waits until the namespace has so many groups, and the scheduler knows them. @throws PerfError after ten minutes */
export async function waitForPodGroups(
  context: RunContext,
  { namespace, count }: Pick<WaitForPodGroupsStep, 'namespace' | 'count'>,
): Promise<void> {
  const { store, driver } = context;
  const found = (): number => store.list('podgroups', { namespace }).items.length;
  if (!(await driver.until(() => found() >= count, WAIT_MILLIS_MAX))) {
    throw new PerfError('WorkloadFailed', `there are ${found()} of ${count} pod groups in ${namespace}`);
  }
  await runDueTasks(context);
}

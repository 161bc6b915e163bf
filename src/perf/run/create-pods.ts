import type { Pod } from '../../api/pod.ts';
import { combined } from '../../lib/combined.ts';
import { unlessRefused } from '../../store/objects/api-error.ts';
import { PerfError } from '../config/perf-error.ts';
import type { PodsStep } from '../config/steps.ts';
import { awaitPods } from './await-pods.ts';
import type { NewPod } from './pod-factory.ts';
import { inTasks, needNamespace, type RunContext } from './run-context.ts';

const BOUND = { phase: 'Bound' } as const;

/** Creates pods, and waits for them if the step says so. @throws PerfError when they get no node in time */
export async function createPods(context: RunContext, step: PodsStep, podAt: (index: number) => NewPod): Promise<void> {
  const { namespace, count, collectMetrics = false, skipWaitToCompletion = false, steadyState = false } = step;
  needNamespace(context, namespace);
  const { measurement, unawaited } = context;
  if (collectMetrics) measurement.start({ name: namespace, namespaces: [namespace], labels: {} });
  if (steadyState) await keepSteady(context, step, podAt);
  else {
    await inTasks(context, count, (i) => create(context, podAt(i)));
    if (skipWaitToCompletion) unawaited.set(namespace, (unawaited.get(namespace) ?? 0) + count);
    else await awaitPods(context, { namespace, labels: {}, count, stage: 'Scheduled' });
  }
  if (collectMetrics) measurement.stop();
}

/** Keeps `count` pods waiting: each pod that gets a node is deleted and replaced by a new one. */
async function keepSteady(context: RunContext, step: PodsStep, podAt: (index: number) => NewPod): Promise<void> {
  const { store, loop, driver, pods } = context;
  const { namespace, count, durationMillis } = step;
  let scheduled = 0;
  let isOver = false;
  const replace = (pod: Pod): void => {
    if (isOver) return;
    const { name = '' } = pod.metadata ?? {};
    unlessRefused(['NotFound'], () => store.delete('pods', namespace, name, { gracePeriodSeconds: 0 }));
    create(context, podAt(scheduled % Math.max(1, count)));
    scheduled++;
  };
  const stop = pods.onScheduled({ namespaces: new Set([namespace]), labels: {} }, (pod) => {
    // The pod is replaced in a later task, because the cache is in the middle of a change.
    loop.soon(() => replace(pod));
  });
  const end = loop.after(durationMillis, () => {
    isOver = true;
  });
  await inTasks(context, count, (i) => create(context, podAt(i)));
  await driver.until(() => isOver, Number.POSITIVE_INFINITY);
  end.cancel();
  stop();
  if (scheduled === 0) throw new PerfError('WorkloadFailed', `no pod of ${namespace} got a node in a steady state`);
}

/** Creates a pod, and before it the volume that is bound to its claim. */
function create({ store }: RunContext, { pod, storage }: NewPod): void {
  if (storage !== undefined) {
    const claim = store.create('persistentvolumeclaims', storage.claim);
    store.updateStatus('persistentvolumeclaims', combined(claim, { status: combined(claim.status, BOUND) }));
    const claimRef = combined(storage.volume.spec?.claimRef ?? undefined, { uid: claim.metadata?.uid });
    const volume = store.create(
      'persistentvolumes',
      combined(storage.volume, { spec: combined(storage.volume.spec, { claimRef }) }),
    );
    store.updateStatus('persistentvolumes', combined(volume, { status: combined(volume.status, BOUND) }));
  }
  store.create('pods', pod);
}

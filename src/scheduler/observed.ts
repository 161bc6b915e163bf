import { schedulerNameOf } from '../api/defaults.ts';
import { isRejection, type Status } from '../framework/status.ts';
import type { AssumedAttempt, CycleModules } from './attempt.ts';
import type { Failure } from './failures.ts';
import type { AttemptResult, ObservedPoint } from './observer.ts';

type Modules = Pick<CycleModules, 'observer' | 'loop'>;
type Done = (status: Status | null) => void;

const NOT_OBSERVED: Done = () => {};

/** Calls an extension point, and reports its status and duration to the observer. Returns the status. */
export function observed(
  modules: Modules,
  point: ObservedPoint,
  attempt: Pick<AssumedAttempt, 'queued'>,
  call: () => Status | null,
): Status | null {
  const done = observedLater(modules, point, attempt, NOT_OBSERVED);
  const status = call();
  done(status);
  return status;
}

/** Wraps the callback of an extension point that begins now, so that the observer receives its status and duration. */
export function observedLater(
  { observer, loop }: Modules,
  point: ObservedPoint,
  { queued }: Pick<AssumedAttempt, 'queued'>,
  done: Done,
): Done {
  if (observer?.extensionPointFinished === undefined) return done;
  const startMillis = loop.nowMillis();
  return (status) => {
    const profile = schedulerNameOf(queued.podInfo.pod);
    observer.extensionPointFinished?.(point, profile, status?.code ?? 'Success', loop.nowMillis() - startMillis);
    done(status);
  };
}

/** Reports the end of an attempt to the observer; `failure` is null for a pod that was bound. */
export function attemptFinished(
  { observer, loop }: Modules,
  { queued, startMillis }: Pick<AssumedAttempt, 'queued' | 'startMillis'>,
  failure: Failure | null,
): void {
  if (observer?.attemptFinished === undefined) return;
  const result: AttemptResult = failure === null ? 'scheduled' : isRejection(failure) ? 'unschedulable' : 'error';
  observer.attemptFinished(result, schedulerNameOf(queued.podInfo.pod), loop.nowMillis() - startMillis);
}

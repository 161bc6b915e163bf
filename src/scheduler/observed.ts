import { schedulerName } from '../core/profiles.ts';
import type { Status } from '../framework/status.ts';
import type { AssumedAttempt, CycleModules } from './attempt.ts';
import type { ObservedPoint } from './observer.ts';

type Modules = Pick<CycleModules, 'observer' | 'loop'>;

/** Calls an extension point, and reports to the observer how long it took. Returns the call's result. */
export function observed(
  { observer, loop }: Modules,
  point: ObservedPoint,
  { queued }: Pick<AssumedAttempt, 'queued'>,
  call: () => Status | null,
): Status | null {
  if (observer?.extensionPointFinished === undefined) return call();
  const startMillis = loop.nowMillis();
  const status = call();
  const profile = schedulerName(queued.podInfo.pod);
  observer.extensionPointFinished(point, profile, status?.code ?? 'Success', loop.nowMillis() - startMillis);
  return status;
}

/** The same where the answer may come later: the function that takes it. */
export function observedLater(
  { observer, loop }: Modules,
  point: ObservedPoint,
  { queued }: Pick<AssumedAttempt, 'queued'>,
  done: (status: Status | null) => void,
): (status: Status | null) => void {
  if (observer?.extensionPointFinished === undefined) return done;
  const startMillis = loop.nowMillis();
  return (status) => {
    const profile = schedulerName(queued.podInfo.pod);
    observer.extensionPointFinished?.(point, profile, status?.code ?? 'Success', loop.nowMillis() - startMillis);
    done(status);
  };
}

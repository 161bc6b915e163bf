import type { Handle } from '../../framework/handle.ts';
import type { PodNominator, PreEnqueuePlugin, Snapshot } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, unresolvable } from '../../framework/status.ts';
import { DefaultPreemption, type DefaultPreemptionArgs } from './plugin.ts';

const WAITS_FOR_PREEMPTION = 'waiting for the preemption for this pod to be finished';

/** Where victims take their time to leave: until the last is on its way, an attempt would only look for others. */
export class AsynchronousPreemption extends DefaultPreemption implements PreEnqueuePlugin {
  readonly #handle: Pick<Handle, 'isPreempting'>;

  constructor(
    handle: Pick<Handle, 'isPreempting'>,
    snapshot: Snapshot & PodNominator,
    args: DefaultPreemptionArgs | undefined,
  ) {
    super(snapshot, args);
    this.#handle = handle;
  }

  preEnqueue({ uid }: PodInfo): Status | null {
    return this.#handle.isPreempting(uid) ? unresolvable(this.name, WAITS_FOR_PREEMPTION) : null;
  }
}

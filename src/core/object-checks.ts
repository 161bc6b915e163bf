import type { Node } from '../api/node.ts';
import { podKey } from '../api/object-name.ts';
import type { Pod, PodSpec } from '../api/pod.ts';
import type { Problem } from '../api/validation/check.ts';
import { validateNode } from '../api/validation/node.ts';
import { validatePod } from '../api/validation/pod.ts';
import { SchedulerError } from './scheduler-error.ts';

/** Refuses what an API server would refuse, before anything is changed. */
export class ObjectChecks {
  /** Pods of one template share their spec: it is looked at once. */
  readonly #checked = new WeakSet<PodSpec>();

  checkNode(node: Node): void {
    refuse(`Node ${node.metadata?.name ?? ''}`, validateNode(node));
  }

  checkPod(pod: Pod): void {
    const { spec, metadata } = pod;
    if (spec && metadata?.name && this.#checked.has(spec)) return;
    refuse(`Pod ${podKey(pod)}`, validatePod(pod));
    if (spec) this.#checked.add(spec);
  }
}

function refuse(object: string, [problem]: readonly Problem[]): void {
  if (problem !== undefined) throw new SchedulerError('Invalid', `${object}: ${problem.field}: ${problem.reason}`);
}

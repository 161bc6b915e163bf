import type { Pod } from '../../src/api/pod.ts';
import type { ObjectChecks } from '../../src/caller/object-checks.ts';

/** The checked pod, or the text of the refusal. */
export function answerOf(checks: ObjectChecks, pod: Pod): unknown {
  try {
    return checks.checkPodOfKnownSignature(pod);
  } catch (error) {
    return String(error);
  }
}

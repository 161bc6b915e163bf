import type { KubernetesObject } from '../../api/meta.ts';

/** Whether an event says that all is well. */
export type EventType = 'Normal' | 'Warning';

/** Records events for users. It never fails; an event may be folded into an earlier one, or dropped. */
export interface EventRecorder {
  /** `reason` is one CamelCase word, `message` a sentence for people. */
  event(subject: KubernetesObject, type: EventType, reason: string, message: string): void;
}

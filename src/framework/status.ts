/**
 * The result of a plugin for a pod (on a node). The codes are those of kube-scheduler's framework interface; each
 * comment describes what follows.
 */
export type Code =
  /** The scheduler continues. */
  | 'Success'
  /** The attempt ends after an internal failure, and the pod is retried after back-off. */
  | 'Error'
  /** The pod does not fit; evicting other pods may help, so preemption looks at this node. */
  | 'Unschedulable'
  /** The pod does not fit and evicting pods cannot help; preemption leaves this node out. */
  | 'UnschedulableAndUnresolvable'
  /** The pod waits for an event that the plugin registered, and is then retried at once, without back-off. */
  | 'Pending'
  /** The pod waits for approval; only Permit plugins return this. */
  | 'Wait'
  /** The plugin does not apply to the pod; its later steps are not called. */
  | 'Skip';

/** The answer of a plugin or of a whole step (upstream's framework.Status). */
export interface Status {
  readonly code: Code;
  readonly reasons: readonly string[];
  /** The name of the plugin that decided; '' for the framework itself. */
  readonly plugin: string;
}

export function unschedulable(plugin: string, ...reasons: string[]): Status {
  return { code: 'Unschedulable', reasons, plugin };
}

export function unresolvable(plugin: string, ...reasons: string[]): Status {
  return { code: 'UnschedulableAndUnresolvable', reasons, plugin };
}

/** Whether the status rejects the pod, rather than reporting a failure. */
export function isRejection({ code }: Pick<Status, 'code'>): boolean {
  return code === 'Unschedulable' || code === 'UnschedulableAndUnresolvable' || code === 'Pending';
}

export function skip(plugin: string): Status {
  return { code: 'Skip', reasons: [], plugin };
}

export function errorStatus(plugin: string, message: string): Status {
  return { code: 'Error', reasons: [message], plugin };
}

/**
 * What a plugin says of a pod (on a node). Codes as in kube-scheduler's framework interface; each comment says what
 * happens next.
 */
export type Code =
  /** Go on. */
  | 'Success'
  /** An internal failure: the attempt ends, the pod is retried after back-off. */
  | 'Error'
  /** The pod does not fit; evicting other pods may help, so preemption looks at this node. */
  | 'Unschedulable'
  /** The pod does not fit and evicting pods cannot help; preemption leaves this node out. */
  | 'UnschedulableAndUnresolvable'
  /**
   * The pod cannot be scheduled until something happens that the plugin waits for: then it is tried at once, without
   * back-off.
   */
  | 'Pending'
  /** Permit only: the pod waits for approval. */
  | 'Wait'
  /** The plugin has nothing to say of this pod; its later steps are not called. */
  | 'Skip';

export interface Status {
  readonly code: Code;
  readonly reasons: readonly string[];
  /** Name of the plugin that decided, '' when it was the framework itself. */
  readonly plugin: string;
}

export function unschedulable(plugin: string, ...reasons: string[]): Status {
  return { code: 'Unschedulable', reasons, plugin };
}

export function unresolvable(plugin: string, ...reasons: string[]): Status {
  return { code: 'UnschedulableAndUnresolvable', reasons, plugin };
}

/** Whether the pod does not fit, as opposed to something having failed. */
export function isRejection({ code }: Pick<Status, 'code'>): boolean {
  return code === 'Unschedulable' || code === 'UnschedulableAndUnresolvable' || code === 'Pending';
}

export function skip(plugin: string): Status {
  return { code: 'Skip', reasons: [], plugin };
}

export function errorStatus(plugin: string, message: string): Status {
  return { code: 'Error', reasons: [message], plugin };
}

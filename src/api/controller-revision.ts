import type { KubernetesObject } from './meta.ts';

/** An apps/v1 ControllerRevision: a former or present state of a StatefulSet or DaemonSet. */
export interface ControllerRevision extends KubernetesObject {
  readonly data?: { readonly spec?: Readonly<Record<string, unknown>> | undefined } | undefined;
  /** Higher for later states. */
  readonly revision: number;
}

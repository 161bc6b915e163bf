import type { Condition, KubernetesObject, Time } from './meta.ts';
import type { ResourceList } from './quantity.ts';

/** What a taint does to pods that do not tolerate it. */
export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

/** A taint of a node (v1 Taint). */
export interface Taint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: TaintEffect | (string & {});
  readonly timeAdded?: Time | undefined;
}

/** An image that a node holds, with its names and size (v1 ContainerImage). */
export interface ContainerImage {
  readonly names?: readonly string[] | undefined;
  readonly sizeBytes?: number | undefined;
}

export interface NodeCondition extends Condition {
  readonly lastHeartbeatTime?: Time | undefined;
}

/** A v1 Node: the fields that scheduling, controllers and node agents read. */
export interface Node extends KubernetesObject {
  readonly spec?:
    | {
        readonly unschedulable?: boolean | undefined;
        readonly podCIDR?: string | undefined;
        readonly providerID?: string | undefined;
        readonly taints?: readonly Taint[] | undefined;
      }
    | undefined;
  readonly status?:
    | {
        readonly allocatable?: ResourceList | undefined;
        readonly capacity?: ResourceList | undefined;
        readonly conditions?: readonly NodeCondition[] | undefined;
        readonly images?: readonly ContainerImage[] | undefined;
        readonly declaredFeatures?: readonly string[] | undefined;
      }
    | undefined;
}

/** The status of the node's condition `Ready`: `True`, `False` or `Unknown`; undefined before its first report. */
export function readyStatus({ status }: Node): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}

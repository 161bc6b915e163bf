import type { ObjectMeta, Time } from './meta.ts';
import type { ResourceList } from './quantity.ts';

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

export interface Taint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: TaintEffect | (string & {});
  readonly timeAdded?: Time | undefined;
}

export interface ContainerImage {
  readonly names?: readonly string[] | undefined;
  readonly sizeBytes?: number | undefined;
}

/** A v1 Node: exactly the fields that scheduling reads. */
export interface Node {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?:
    | {
        readonly unschedulable?: boolean | undefined;
        readonly taints?: readonly Taint[] | undefined;
      }
    | undefined;
  readonly status?:
    | {
        readonly allocatable?: ResourceList | undefined;
        readonly capacity?: ResourceList | undefined;
        readonly images?: readonly ContainerImage[] | undefined;
        readonly declaredFeatures?: readonly string[] | undefined;
      }
    | undefined;
}

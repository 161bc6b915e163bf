import type { KubernetesObject, ObjectMeta } from '../../api/meta.ts';
import type { PropagationPolicy } from '../objects/store-client.ts';

/**
 * What is special about the objects of one resource. An object that comes in may be of any shape; `metadata` takes the
 * place of its own, and is frozen and complete, but not yet checked. What comes out is a frozen copy, filled in and
 * checked.
 */
export interface Strategy<T extends KubernetesObject> {
  /** The status is written through `updateStatus`, the rest through `update`. */
  readonly hasStatus: boolean;
  /** `metadata.generation` counts the changes of the spec. */
  readonly hasGeneration: boolean;
  /** An update must say which version it is based on. */
  readonly requiresVersion: boolean;
  /** What happens to dependents when the one who deletes an object does not say. */
  readonly propagationPolicy: PropagationPolicy;

  /** @throws ApiError Invalid, Forbidden */
  create(object: T, metadata: ObjectMeta): T;

  /** All but the status replaces what is stored; `stored` itself when nothing changes. @throws ApiError Invalid */
  update(object: T, metadata: ObjectMeta, stored: T): T;

  /**
   * Only the status replaces what is stored, and of some kinds the metadata; `stored` itself when nothing changes.
   * @throws ApiError Invalid
   */
  updateStatus(object: T, stored: T, metadata: ObjectMeta): T;

  /** How long the object has to end, when it is asked to end within so many seconds; absent: it goes at once. */
  gracePeriodSeconds?(object: T, wanted: number | undefined): number;
}

import type { KubernetesObject, ObjectReference, Time } from './meta.ts';

/** A v1 Event: something happened to an object. Equal events are counted by a single object. */
export interface Event extends KubernetesObject {
  readonly involvedObject: ObjectReference;
  /** The reason in one word, for machines: `SuccessfulCreate`. */
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** `Normal` or `Warning` */
  readonly type?: string | undefined;
  readonly source?: { readonly component?: string | undefined; readonly host?: string | undefined } | undefined;
  readonly firstTimestamp?: Time | undefined;
  readonly lastTimestamp?: Time | undefined;
  /** How often it happened; absent: once. */
  readonly count?: number | undefined;
  readonly action?: string | undefined;
  readonly reportingComponent?: string | undefined;
  readonly reportingInstance?: string | undefined;
}

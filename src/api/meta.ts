/** A moment as the API writes it (RFC 3339) or as `@kubernetes/client-node` hands it out. */
export type Time = string | Date;

export type Labels = Readonly<Record<string, string>>;

export interface OwnerReference {
  readonly apiVersion?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean | undefined;
  /** While it is set, deleting the owner in the foreground waits for this object. */
  readonly blockOwnerDeletion?: boolean | undefined;
}

export interface ObjectMeta {
  readonly name?: string | undefined;
  /** The beginning of a name that the API server completes, when there is no name. */
  readonly generateName?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  /** Changes with every write to the object; to be compared for equality only. */
  readonly resourceVersion?: string | undefined;
  /** Counts the changes of what is wanted (`spec`). */
  readonly generation?: number | undefined;
  readonly labels?: Labels | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly creationTimestamp?: Time | undefined;
  /** Set while the object is being deleted: when its grace period ends. */
  readonly deletionTimestamp?: Time | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  /** A deleted object stays until this list is empty. */
  readonly finalizers?: readonly string[] | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
}

/** What all kinds of objects have. */
export interface KubernetesObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: ObjectMeta | undefined;
}

/** Names an object from another one (v1 ObjectReference). */
export interface ObjectReference {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly fieldPath?: string | undefined;
}

/** One entry of `status.conditions`. */
export interface Condition {
  readonly type: string;
  /** `True`, `False` or `Unknown` */
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: Time | undefined;
  readonly observedGeneration?: number | undefined;
}

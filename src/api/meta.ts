/** A time as the API writes it (RFC 3339), or as `@kubernetes/client-node` returns it. */
export type Time = string | Date;

/** Labels by their keys. */
export type Labels = Readonly<Record<string, string>>;

/** An object to which another one belongs (meta/v1 OwnerReference). */
export interface OwnerReference {
  readonly apiVersion?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean | undefined;
  /** Whether the foreground deletion of the owner waits for this object. */
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** The metadata of an object (meta/v1 ObjectMeta). */
export interface ObjectMeta {
  readonly name?: string | undefined;
  /** The prefix of a name that the API server completes, if there is no name. */
  readonly generateName?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  /** A version that changes with every write to the object; it may only be compared for equality. */
  readonly resourceVersion?: string | undefined;
  /** Counts the changes of the desired state (`spec`). */
  readonly generation?: number | undefined;
  readonly labels?: Labels | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly creationTimestamp?: Time | undefined;
  /** When the grace period ends; set while the object is being deleted. */
  readonly deletionTimestamp?: Time | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  /** Finalizers; a deleted object is kept until this list is empty. */
  readonly finalizers?: readonly string[] | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
  /** Which client last set which fields; kept by the API over HTTP alone. */
  readonly managedFields?: readonly object[] | undefined;
}

/** The fields of all kinds of objects. */
export interface KubernetesObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: ObjectMeta | undefined;
}

/** A reference to an object (v1 ObjectReference). */
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

/** A finalizer: keeps the owner until its dependents no longer refer to it. */
export const ORPHAN_FINALIZER = 'orphan';
/** A finalizer: keeps the owner until the dependents that block its deletion are gone. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

/** The propagation policy that the object's finalizers ask for, if any. */
export function finalizerPolicy({ finalizers }: ObjectMeta): 'Orphan' | 'Foreground' | undefined {
  if (finalizers?.includes(ORPHAN_FINALIZER)) return 'Orphan';
  return finalizers?.includes(FOREGROUND_FINALIZER) ? 'Foreground' : undefined;
}

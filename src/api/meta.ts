/** A moment as the API writes it (RFC 3339) or as `@kubernetes/client-node` hands it out. */
export type Time = string | Date;

export type Labels = Readonly<Record<string, string>>;

export interface OwnerReference {
  readonly apiVersion?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean | undefined;
}

export interface ObjectMeta {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly labels?: Labels | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly creationTimestamp?: Time | undefined;
  readonly deletionTimestamp?: Time | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
}

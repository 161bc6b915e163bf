import type { KubernetesObject, ObjectMeta } from '../../api/meta.ts';
import { combined } from '../../lib/combined.ts';
import { withMetadata } from '../objects/metadata.ts';
import { RESOURCES, type Resource } from '../objects/resources.ts';
import type { PropagationPolicy } from '../objects/store-client.ts';

/**
 * The rules for the objects of one resource. A given object may be of any shape; `metadata` replaces its own, and is
 * frozen and complete, but not yet checked. The result is a frozen copy, with defaults, and checked.
 */
export interface Strategy<T extends KubernetesObject> {
  /** Whether the status is written through `updateStatus`, and everything else through `update`. */
  readonly hasStatus: boolean;
  /** Whether `metadata.generation` counts the changes of the spec. */
  readonly hasGeneration: boolean;
  /** Whether an update must name the version that it is based on. */
  readonly requiresVersion: boolean;
  /** What happens to dependents when a delete does not say. */
  readonly propagationPolicy: PropagationPolicy;

  /** @throws ApiError Invalid, Forbidden */
  create(object: T, metadata: ObjectMeta): T;

  /** Replaces everything except the status; returns `stored` itself when nothing changes. @throws ApiError Invalid */
  update(object: T, metadata: ObjectMeta, stored: T): T;

  /**
   * Replaces only the status, and for some kinds the metadata; returns `stored` itself when nothing changes.
   *
   * @throws ApiError Invalid
   */
  updateStatus(object: T, stored: T, metadata: ObjectMeta): T;

  /**
   * What `updateStatus` makes of a status that is frozen deeply, and has no absent members: the status alone, that of
   * `stored` when nothing changes. Absent where nobody has such.
   *
   * @throws ApiError Invalid
   */
  frozenStatus?(stored: T, status: object): object | undefined;

  /**
   * The grace period of the object, given the one that was asked for, in seconds; absent if the kind is deleted at
   * once.
   */
  gracePeriodSeconds?(object: T, wanted: number | undefined): number;
}

/** The object with this metadata, and with the kind of its resource if it names none. */
export function identify<T extends KubernetesObject>(resource: Resource, object: T, metadata: ObjectMeta): T {
  const { apiVersion, kind } = object;
  if (apiVersion && kind) return withMetadata(object, metadata);
  const traits = RESOURCES[resource];
  const head = { apiVersion: apiVersion || traits.apiVersion, kind: kind || traits.kind, metadata };
  return combined(combined(head, object), head);
}

export function withStatus<T extends KubernetesObject>(object: T, from: T): T {
  return withStatusOf(object, (from as { readonly status?: unknown }).status);
}

/**
 * The object with this status, not frozen. Naming the members of most kinds is several times faster than spreading a
 * frozen object.
 */
export function withStatusOf<T extends KubernetesObject>(object: T, status: unknown): T {
  const { apiVersion, kind, metadata, spec }: T & { readonly spec?: unknown } = object;
  if (spec === undefined) return combined(object, { status });
  for (const key in object) if (!WHOLE.has(key)) return combined(object, { status });
  const whole = { apiVersion, kind, metadata, spec, status };
  return whole as unknown as T;
}

const WHOLE: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status']);

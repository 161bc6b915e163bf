/**
 * What a delete request does to an object. Upstream: BeforeDelete in apiserver/pkg/registry/rest/delete.go, and
 * updateForGracefulDeletionAndFinalizers in apiserver/pkg/registry/generic/registry/store.go.
 */
import {
  FOREGROUND_FINALIZER,
  finalizerPolicy,
  type KubernetesObject,
  type ObjectMeta,
  ORPHAN_FINALIZER,
} from '../api/meta.ts';
import { millisOfSeconds, millisOfTime, timeAtMillis } from '../api/time.ts';
import { isMissing } from '../api/validation/check.ts';
import { unsupportedValue } from '../api/validation/field-error.ts';
import type { Clock } from '../lib/clock.ts';
import { badRequest, invalidKind, refuseOther } from './objects/api-error.ts';
import { type DeletionMark, markedMetadata } from './objects/metadata.ts';
import type { Resource } from './objects/resources.ts';
import type { DeleteOptions, PropagationPolicy } from './objects/store-client.ts';
import type { Strategy } from './strategies/strategy.ts';

export interface Deletion {
  /** The metadata that marks the object as being deleted, frozen; undefined if the metadata stays as it is. */
  readonly metadata: ObjectMeta | undefined;
  /** Whether the object is removed afterwards. */
  readonly isRemoved: boolean;
}

/**
 * Checks the parts of a delete request that do not depend on the kind. @throws ApiError BadRequest, Invalid, Conflict
 */
export function checkDeletion(resource: Resource, { metadata = {} }: KubernetesObject, options: DeleteOptions): void {
  const { gracePeriodSeconds, propagationPolicy, preconditions } = options;
  if (!isMissing(gracePeriodSeconds) && !Number.isSafeInteger(gracePeriodSeconds)) {
    throw badRequest(`gracePeriodSeconds: must be an integer, not ${JSON.stringify(gracePeriodSeconds)}`);
  }
  if (!isMissing(propagationPolicy) && !Object.hasOwn(FINALIZERS, propagationPolicy)) {
    const known = [...Object.keys(FINALIZERS), 'nil'];
    const problem = unsupportedValue('propagationPolicy', propagationPolicy, known);
    throw invalidKind('DeleteOptions.meta.k8s.io', '', [problem]);
  }
  refuseOther(resource, preconditions ?? {}, metadata);
}

export function planDeletion<T extends KubernetesObject>(
  object: T,
  strategy: Strategy<T>,
  options: DeleteOptions,
  { clock, nextVersion }: { readonly clock: Clock; readonly nextVersion: string },
): Deletion {
  const { metadata = {} } = object;
  // Marked metadata are compared with those that were marked before, but for the first time they are written anyway.
  const version = metadata.deletionTimestamp === undefined ? nextVersion : metadata.resourceVersion;
  const wanted = options.gracePeriodSeconds ?? undefined;
  const graceful = strategy.gracePeriodSeconds && gracefulMark(object, strategy, wanted, clock);
  if (graceful === 'pending') return { metadata: undefined, isRemoved: false };

  const policy = options.propagationPolicy ?? finalizerPolicy(metadata) ?? strategy.propagationPolicy;
  const finalizers = finalizersFor(policy, metadata.finalizers ?? NO_FINALIZERS);
  if (graceful !== undefined) {
    const isRemoved = finalizers.length === 0 && graceful.deletionGracePeriodSeconds === 0;
    return { metadata: markedMetadata(metadata, graceful, finalizers, version), isRemoved };
  }
  if (finalizers.length === 0) return { metadata: undefined, isRemoved: true };
  return { metadata: markedMetadata(metadata, markNow(metadata, clock), finalizers, version), isRemoved: false };
}

/** Whether no finalizer and no grace period hold the object any more after an update. */
export function isDeletionComplete({ metadata }: KubernetesObject): boolean {
  if (metadata?.deletionTimestamp === undefined || metadata.finalizers?.length) return false;
  return (metadata.deletionGracePeriodSeconds ?? 0) === 0;
}

/** The metadata of an object that is being deleted from now on, without a grace period, frozen. */
export function markedNow(metadata: ObjectMeta, clock: Clock): ObjectMeta {
  return markedMetadata(metadata, markNow(metadata, clock), metadata.finalizers ?? NO_FINALIZERS);
}

function markNow(metadata: ObjectMeta, clock: Clock): DeletionMark {
  const now = timeAtMillis(clock.nowMillis());
  const before = metadata.deletionTimestamp;
  const isEarlier = before !== undefined && millisOfTime(before) <= millisOfTime(now);
  const deletionTimestamp = isEarlier ? before : now;
  return { generation: nextGeneration(metadata), deletionTimestamp, deletionGracePeriodSeconds: 0 };
}

/**
 * The first delete sets the grace period; later ones may only shorten it (`pending` when they do not). Returns
 * undefined when the object has no time left.
 */
function gracefulMark<T extends KubernetesObject>(
  object: T,
  strategy: Strategy<T>,
  given: number | undefined,
  clock: Clock,
): DeletionMark | 'pending' | undefined {
  const { metadata = {} } = object;
  const wanted = given !== undefined && given < 0 ? 1 : given;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (deletionTimestamp === undefined) {
    const seconds = strategy.gracePeriodSeconds?.(object, wanted) ?? 0;
    const deadline = timeAtMillis(clock.nowMillis() + millisOfSeconds(seconds));
    const generation = nextGeneration(metadata);
    return { generation, deletionTimestamp: deadline, deletionGracePeriodSeconds: seconds };
  }
  if (deletionGracePeriodSeconds === 0) return undefined;
  if (wanted === undefined || wanted >= deletionGracePeriodSeconds) return 'pending';
  const sinceMillis = millisOfTime(deletionTimestamp) - millisOfSeconds(deletionGracePeriodSeconds);
  const { generation } = metadata;
  const deadline = timeAtMillis(sinceMillis + millisOfSeconds(wanted));
  return { generation, deletionTimestamp: deadline, deletionGracePeriodSeconds: wanted };
}

/** Deleting an object changes its desired state, so its generation rises. */
function nextGeneration({ generation, deletionTimestamp }: ObjectMeta): number | undefined {
  return generation === undefined || deletionTimestamp !== undefined ? generation : generation + 1;
}

const NO_FINALIZERS: readonly string[] = [];

const FINALIZERS: Readonly<Record<PropagationPolicy, readonly string[]>> = {
  Foreground: [FOREGROUND_FINALIZER],
  Background: [],
  Orphan: [ORPHAN_FINALIZER],
};

function finalizersFor(policy: PropagationPolicy, finalizers: readonly string[]): readonly string[] {
  if (finalizers.length === 0) return FINALIZERS[policy];
  const others = finalizers.filter((name) => name !== ORPHAN_FINALIZER && name !== FOREGROUND_FINALIZER);
  return [...others, ...FINALIZERS[policy]];
}

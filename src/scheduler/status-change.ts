import type { ObjectMeta } from '../api/meta.ts';
import type { Pod, PodCondition, PodStatus } from '../api/pod.ts';
import { withPodCondition } from '../api/pod-conditions.ts';
import { timeAtMillis } from '../api/time.ts';
import { combined } from '../lib/combined.ts';
import { frozenCopy } from '../store/objects/frozen-copy.ts';
import { frozenStatus } from '../store/objects/frozen-status.ts';
import type { StatusOutcome } from '../store/objects/store-client.ts';

export interface StatusChange {
  /** The new condition; its `observedGeneration` follows from the pod. */
  readonly condition?: Omit<PodCondition, 'lastProbeTime' | 'lastTransitionTime' | 'observedGeneration'>;
  /** The new nomination: '' clears it, and undefined leaves it unchanged. */
  readonly nominatedNodeName?: string | undefined;
}

type Condition = NonNullable<StatusChange['condition']>;
type Conditions = readonly PodCondition[];

/** Stands for the status of pods that have none, so that they share what comes of it. */
const NO_STATUS: PodStatus = Object.freeze({});

/** Whether the change is news for the pod. */
export function isNews({ status = {} }: Pod, { condition, nominatedNodeName }: StatusChange): boolean {
  if (nominatedNodeName !== undefined && nominatedNodeName !== (status.nominatedNodeName ?? '')) return true;
  return condition !== undefined && !hasCondition(status, condition);
}

/** Returns the status after a change that is news. */
export function changedStatus({ status = {}, metadata = {} }: Pod, change: StatusChange, nowMillis: number): PodStatus {
  const { nominatedNodeName: known, ...others } = status;
  const { condition, nominatedNodeName: nodeName = known } = change;
  const next = nodeName ? { ...others, nominatedNodeName: nodeName } : others;
  return condition === undefined ? next : withPodCondition(next, observed(condition, metadata), nowMillis);
}

/** As `changedStatus`, in the form in which a store has it; undefined for a pod that is not as stored. */
export function storedOutcome(pod: Pod, change: StatusChange, nowMillis: number): StatusOutcome | undefined {
  const { status, metadata = {} } = pod;
  if (!(status === undefined ? Object.isFrozen(pod) : isStored(status))) return undefined;
  const { condition, nominatedNodeName: nodeName = status?.nominatedNodeName } = change;
  const from = status ?? NO_STATUS;
  return { before: status, after: sharedChanges.statusWith(from, nodeName, condition, metadata, nowMillis) };
}

/** Whether the status is frozen deeply, as those of stored objects are. */
function isStored(status: PodStatus): boolean {
  return Object.isFrozen(status) && (status.conditions === undefined || Object.isFrozen(status.conditions));
}

/** Whether the pod has the condition already, perhaps with an earlier generation. */
function hasCondition({ conditions }: PodStatus, { type, ...wanted }: Condition): boolean {
  const known = conditions?.find((condition) => condition.type === type);
  if (known === undefined || known.status !== wanted.status) return false;
  return (known.reason ?? '') === (wanted.reason ?? '') && (known.message ?? '') === (wanted.message ?? '');
}

function observed(condition: Condition, { generation }: ObjectMeta): Omit<PodCondition, 'lastProbeTime'> {
  return combined(condition, { observedGeneration: generation || undefined });
}

/** The conditions after a change of those of one type, and the last status that got them. */
interface LastChange {
  readonly before: Conditions | undefined;
  readonly condition: Condition;
  readonly generation: number | undefined;
  readonly time: string;
  readonly after: Conditions;
  from: PodStatus | null;
  nodeName: string | undefined;
  status: PodStatus | null;
}

/**
 * Makes changed statuses from stored ones, frozen deeply as they would be stored. Many pods have one status, and get
 * the same condition within a second: they share the outcome, and pods that differ in their nominations its conditions.
 */
class SharedChanges {
  /** The last change of a condition, by its type, of which schedulers write two. */
  readonly #last = new Map<string, LastChange>();

  statusWith(
    from: PodStatus,
    nodeName: string | undefined,
    condition: Condition | undefined,
    metadata: ObjectMeta,
    nowMillis: number,
  ): PodStatus {
    const nominatedNodeName = nodeName || undefined;
    if (condition === undefined) return frozenStatus(from, { nominatedNodeName });
    const last = this.#changeOf(from.conditions, condition, metadata, nowMillis);
    if (last.status === null || last.from !== from || last.nodeName !== nodeName) {
      last.from = from;
      last.nodeName = nodeName;
      last.status = frozenStatus(from, { nominatedNodeName, conditions: last.after });
    }
    return last.status;
  }

  #changeOf(before: Conditions | undefined, condition: Condition, metadata: ObjectMeta, nowMillis: number): LastChange {
    const { type, status, reason, message } = condition;
    const { generation } = metadata;
    const time = timeAtMillis(nowMillis);
    const last = this.#last.get(type);
    if (last?.before === before && last?.generation === generation && last?.time === time) {
      const known = last.condition;
      if (known.status === status && known.reason === reason && known.message === message) return last;
    }
    const after = frozenConditions(before, condition, metadata, nowMillis);
    const change = { before, condition, generation, time, after, from: null, nodeName: undefined, status: null };
    this.#last.set(type, change);
    return change;
  }
}

const sharedChanges = new SharedChanges();

function frozenConditions(
  conditions: Conditions | undefined,
  condition: Condition,
  metadata: ObjectMeta,
  nowMillis: number,
): Conditions {
  const { conditions: after = [] } = withPodCondition({ conditions }, observed(condition, metadata), nowMillis);
  return frozenCopy(after, conditions);
}

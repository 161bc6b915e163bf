import type { Pod, PodCondition, PodStatus } from '../../api/pod.ts';
import { isFinalPhase } from '../../api/pod-conditions.ts';
import { timeAtMillis } from '../../api/time.ts';
import { everyOf } from '../../lib/frozen-lists.ts';
import { frozenCopy } from '../../store/objects/frozen-copy.ts';
import { frozenStatus } from '../../store/objects/frozen-status.ts';
import { isOwnedByKubelet, podConditions } from './conditions.ts';
import { type ContainerStatusInputs, containerStatuses as statusesOf } from './container-statuses.ts';
import { NamedStatuses } from './named-statuses.ts';
import { type PodPhase, podPhase } from './phase.ts';

/** Why the pod has failed, whatever its containers do. */
export interface PodFailure {
  readonly reason: string;
  readonly message: string;
}

export interface PodStatusInputs extends Omit<ContainerStatusInputs, 'before'> {
  /** The status that was reported last. */
  readonly before: PodStatus;
  /** Whether no container will be started any more. */
  readonly isTerminal: boolean;
  readonly failure: PodFailure | undefined;
  readonly hostIp: string;
}

/**
 * The status of a pod as its node sees it, in the form in which a store has it: frozen deeply, and without absent
 * members. Upstream: generateAPIPodStatus in pkg/kubelet/kubelet_pods.go.
 */
export function podStatus(inputs: PodStatusInputs): PodStatus {
  const { pod, runtimeStatus, startFailures, before, isTerminal, failure, hostIp, nowMillis } = inputs;
  const { spec = {}, metadata, status: stored } = pod;
  const { containerStatuses: lastRegular, initContainerStatuses: lastInit } = before;
  const named = new NamedStatuses(lastRegular, lastInit);
  const statusInputs = { pod, runtimeStatus, startFailures, before: named, nowMillis };
  const regular = statusesOf(spec.containers ?? [], statusInputs, false, lastRegular);
  const init = spec.initContainers?.length ? statusesOf(spec.initContainers, statusInputs, true, lastInit) : undefined;
  const statuses = new NamedStatuses(regular, init);
  const phase = failure ? 'Failed' : (finalPhase(before) ?? finalPhase(stored) ?? podPhase(spec, statuses, isTerminal));
  const cause = failure ?? before;
  const hasReadySandbox = runtimeStatus.sandboxStatuses.some(({ state }) => state === 'ready');
  const history = { before: before.conditions ?? stored?.conditions, nowMillis };
  const [podIP = before.podIP] = runtimeStatus.ips;
  const podIPs = podIP ? podIPsOf(podIP, before) : undefined;
  const { reason, message } = cause;
  const observedGeneration = metadata?.generation;
  const qosClass = stored?.qosClass;
  const startTime = before.startTime ?? stored?.startTime ?? timeAtMillis(nowMillis);
  const conditions = podConditions(pod, phase, statuses, hasReadySandbox, history);
  const whole: PodStatus = {
    phase,
    reason,
    message,
    observedGeneration,
    hostIP: hostIp,
    podIP,
    podIPs,
    qosClass,
    startTime,
    conditions,
    initContainerStatuses: init,
    containerStatuses: regular,
  };
  return usualStatus(whole) ?? withoutAbsent(whole);
}

/** The status of a pod with all that is usual, and nothing else: as a literal, which takes no more room than needed. */
function usualStatus(status: PodStatus): PodStatus | undefined {
  const { phase, reason, message, observedGeneration, hostIP, podIP, podIPs, qosClass, startTime } = status;
  const { conditions, initContainerStatuses, containerStatuses } = status;
  if (reason !== undefined || message !== undefined || initContainerStatuses !== undefined) return undefined;
  if (observedGeneration === undefined || qosClass === undefined) return undefined;
  if ((podIP === undefined) !== (podIPs === undefined)) return undefined;
  return podIP !== undefined
    ? Object.freeze({
        phase,
        observedGeneration,
        hostIP,
        podIP,
        podIPs,
        qosClass,
        startTime,
        conditions,
        containerStatuses,
      })
    : Object.freeze({ phase, observedGeneration, hostIP, qosClass, startTime, conditions, containerStatuses });
}

/** The status without members that are absent, frozen. */
function withoutAbsent(status: PodStatus): PodStatus {
  const given: Record<string, unknown> = {};
  for (const key in status) {
    const value = status[key as keyof PodStatus];
    if (value !== undefined) given[key] = value;
  }
  return Object.freeze(given);
}

function podIPsOf(podIP: string, { podIPs }: PodStatus): PodStatus['podIPs'] {
  return frozenCopy([{ ip: podIP }], podIPs);
}

/** The status of a pod that was rejected at admission. Upstream: rejectPod in pkg/kubelet/kubelet.go. */
export function rejectedStatus({ metadata, status }: Pod, { reason, message }: PodFailure): PodStatus {
  return {
    phase: 'Failed',
    reason,
    message: `Pod was rejected: ${message}`,
    qosClass: status?.qosClass,
    ...(metadata?.generation !== undefined && { observedGeneration: metadata.generation }),
  };
}

/**
 * The status that replaces a stored one: conditions of others and the names of claims, which the kubelet does not own,
 * are kept, and a pod that may still run is not reported as ended. Upstream: mergePodStatus in
 * pkg/kubelet/status/status_manager.go.
 */
export function mergedStatus(stored: PodStatus, given: PodStatus, mayRun: boolean): PodStatus {
  const status = withClaims(stored, given);
  const own = ownedOf(status.conditions);
  const { conditions: before = NONE } = stored;
  const others = everyOf(before, isOwnedByKubelet) ? NONE : before.filter((each) => !isOwnedByKubelet(each));
  const kept = own.length > 0 ? NONE : ownedOf(before);
  const conditions = others.length + kept.length === 0 ? own : [...kept, ...own, ...others];
  if (!mayRun || finalPhase(status) === undefined || finalPhase(stored) !== undefined) {
    return conditions === status.conditions ? status : { ...status, conditions };
  }
  const { phase, reason, message } = stored;
  const members = { conditions, phase, reason, message };
  const isFrozen = Object.isFrozen(status) && Object.isFrozen(conditions);
  return isFrozen ? frozenStatus(status, members) : { ...status, ...members };
}

function withClaims(stored: PodStatus, status: PodStatus): PodStatus {
  const { resourceClaimStatuses, extendedResourceClaimStatus } = stored;
  if (resourceClaimStatuses === undefined && extendedResourceClaimStatus === undefined) return status;
  return { ...status, resourceClaimStatuses, extendedResourceClaimStatus };
}

const NONE: readonly PodCondition[] = [];

/** The conditions that the kubelet owns, which usually are all of them. */
function ownedOf(conditions: readonly PodCondition[] = NONE): readonly PodCondition[] {
  return everyOf(conditions, isOwnedByKubelet) ? conditions : conditions.filter(isOwnedByKubelet);
}

/** The phase if it is final. A pod that has ended never runs again. */
function finalPhase(status: PodStatus | undefined): PodPhase | undefined {
  const phase = status?.phase;
  return isFinalPhase(phase) ? phase : undefined;
}

import type { Pod } from '../api/pod.ts';
import { podFitScoreRequests, podNonZeroRequests, podRequests } from '../api/pod-requests.ts';
import type { Resources } from '../api/resources.ts';
import type { Int64 } from '../lib/int64.ts';
import { type HostPort, hostPorts } from './host-ports.ts';

/** What is computed once from a pod's spec; identical pods may share one object. */
export interface PodRequirements {
  readonly requests: Resources;
  /** What NodeResourcesFit's scoring counts for this pod while it is being placed. */
  readonly fitScoreRequests: Resources;
  /** What the pod adds to its node's non-zero totals: containers that ask for nothing count 100m cpu and 200 MiB. */
  readonly nonZeroRequests: { readonly milliCPU: Int64; readonly memoryBytes: Int64 };
  readonly hostPorts: readonly HostPort[];
}

export function podRequirements(pod: Pod): PodRequirements {
  return {
    requests: podRequests(pod),
    fitScoreRequests: podFitScoreRequests(pod),
    nonZeroRequests: podNonZeroRequests(pod),
    hostPorts: hostPorts(pod),
  };
}

/** A pod as the scheduler sees it (upstream's PodInfo): the object, and what follows from it. */
export class PodInfo {
  /** Only `ClusterPods` replaces it, by one that means the same to the scheduler. */
  pod: Pod;
  readonly requirements: PodRequirements;
  /** Where the pod runs or is assumed to run; '' while it is pending. Only `ClusterPods` changes it. */
  nodeName: string;
  /** Where preemption makes room for the pod while it is pending; '' for none. */
  readonly nominatedNodeName: string;
  /** It is being decided where the pod goes. Only `ClusterPods` changes it. */
  hasAttempt = false;
  /** Charged to its node by a decision that the API has not shown yet. Only the scheduler's cache changes it. */
  isAssumed = false;
  /** An assumed pod as the API answered that it is bound; null: nobody has kept the answer. */
  bound: Pod | null = null;

  constructor(
    pod: Pod,
    requirements: PodRequirements,
    nodeName: string,
    nominatedNodeName = pod.status?.nominatedNodeName ?? '',
  ) {
    this.pod = pod;
    this.requirements = requirements;
    this.nodeName = nodeName;
    this.nominatedNodeName = nominatedNodeName;
  }

  get priority(): number {
    return this.pod.spec?.priority ?? 0;
  }

  get uid(): string {
    return this.pod.metadata?.uid ?? '';
  }

  get namespace(): string {
    return this.pod.metadata?.namespace || 'default';
  }

  get name(): string {
    return this.pod.metadata?.name ?? '';
  }

  /** Whether both are the same pod, perhaps at different times. */
  isSamePod(other: PodInfo): boolean {
    return this.name === other.name && this.namespace === other.namespace;
  }

  /** namespace/name */
  get key(): string {
    return `${this.namespace}/${this.name}`;
  }
}

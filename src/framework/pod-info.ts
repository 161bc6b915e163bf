import type { Pod } from '../api/pod.ts';
import { countedRequests } from '../api/pod-requests.ts';
import { hasStorage } from '../api/pod-storage.ts';
import type { Resources } from '../api/resources.ts';
import type { Int64 } from '../lib/int64.ts';
import { type HostPort, hostPorts } from './host-ports.ts';

/** The values that are computed once from a pod's spec; identical pods may share one object. */
export interface PodRequirements {
  readonly requests: Resources;
  /** The requests that the scoring of NodeResourcesFit counts for this pod while it is scheduled. */
  readonly fitScoreRequests: Resources;
  /** The requests that count in the node's non-zero totals: 100m cpu and 200 MiB for containers without requests. */
  readonly nonZeroRequests: { readonly milliCPU: Int64; readonly memoryBytes: Int64 };
  readonly hostPorts: readonly HostPort[];
  /** Whether the pod has volumes that plugins read: claims, disks, and whatever drivers attach. */
  readonly hasStorage: boolean;
}

export function podRequirements(pod: Pod): PodRequirements {
  // Members that are added behind spread ones are defined one by one, at ten times the cost.
  const { requests, fitScoreRequests, nonZeroRequests } = countedRequests(pod);
  return { requests, fitScoreRequests, nonZeroRequests, hostPorts: hostPorts(pod), hasStorage: hasStorage(pod) };
}

/**
 * Stands for the metadata of pods that are equal apart from names, uids, versions and times. It remembers
 * what one reader, which may use it as it likes, knows of such pods of one template.
 */
export class MetadataForm {
  reader: object | null = null;
  template: object | null = null;
  known: object | null = null;
}

/**
 * A pod object, and the values that follow from it (upstream's PodInfo). Copies of a cluster state share those of pods
 * on nodes, which `ClusterPods` replaces then instead of changing them.
 */
export class PodInfo {
  // The names are those under which the pod is known, also if a caller changes its object afterwards.
  readonly namespace: string;
  readonly name: string;
  /** The object; only `ClusterPods` replaces it, by one that is equal for scheduling. */
  pod: Pod;
  readonly requirements: PodRequirements;
  /** The node on which the pod runs or is assumed; '' while it is pending. Only `ClusterPods` changes it. */
  nodeName: string;
  /** The node on which preemption makes room for the pod while it is pending; '' for none. */
  readonly nominatedNodeName: string;
  /** Whether an attempt to schedule the pod has begun and not ended. Only `ClusterPods` changes it. */
  hasAttempt = false;
  /**
   * Whether the pod was assumed on its node, and the API has not shown it there. Only the scheduler's cache changes it.
   */
  isAssumed = false;
  /** Where the pod probably is in the list of its node; only `NodeInfo`, of which there are copies, changes it. */
  listIndex = -1;
  /** The slot that its node probably has; only `ClusterPods`, of which there are copies, changes it. @internal */
  nodeSlot = -1;
  /** An object that pods share whose specs are equal to all plugins; null if there is none. */
  template: object | null = null;
  /** Shared by pods with equal metadata; null if nobody has compared them. @internal */
  metadataForm: MetadataForm | null = null;
  /** The compiled terms of the affinity, which only InterPodAffinity reads; null before it needs them. @internal */
  affinityTerms: object | null = null;
  /** The pod that the API returned when it was bound; null if nothing keeps it. */
  bound: Pod | null = null;

  /** `known`: an earlier PodInfo of the pod. */
  constructor(
    pod: Pod,
    requirements: PodRequirements,
    nodeName: string,
    nominatedNodeName = pod.status?.nominatedNodeName ?? '',
    known?: PodInfo,
  ) {
    this.pod = pod;
    this.namespace = known === undefined ? pod.metadata?.namespace || 'default' : known.namespace;
    this.name = known === undefined ? (pod.metadata?.name ?? '') : known.name;
    this.requirements = requirements;
    this.nodeName = nodeName;
    this.nominatedNodeName = nominatedNodeName;
  }

  /** The same pod on another node, or nominated for another. */
  withNodes(nodeName: string, nominatedNodeName: string): PodInfo {
    const info = new PodInfo(this.pod, this.requirements, nodeName, nominatedNodeName, this);
    info.template = this.template;
    info.metadataForm = this.metadataForm;
    return info;
  }

  get priority(): number {
    return this.pod.spec?.priority ?? 0;
  }

  get uid(): string {
    return this.pod.metadata?.uid ?? '';
  }

  /** Whether both are the same pod, perhaps in different versions. */
  isSamePod(other: PodInfo): boolean {
    return this.name === other.name && this.namespace === other.namespace;
  }

  /** The key of the pod: namespace/name. */
  get key(): string {
    return `${this.namespace}/${this.name}`;
  }
}

import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { collectAttachableVolumes, type VolumeProblem } from './attachable-volumes.ts';
import { READ_KINDS } from './attached-volumes.ts';

/** The volumes that a pod needs, from unique name to driver, or why they cannot be determined. */
interface Wanted {
  readonly problem: VolumeProblem | null;
  readonly volumes: ReadonlyMap<string, string>;
}

/** The volumes of the pod to schedule, kept because the filter reads them for every node. */
export class WantedVolumes {
  readonly #objects: ClusterObjects;
  #pod: PodInfo | null = null;
  #version = -1;
  /** The volumes for nodes with a CSINode, and for nodes without. */
  #known: { with?: Wanted; without?: Wanted } = {};

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
  }

  of(pod: PodInfo, hasCSINode: boolean): Wanted {
    const objects = this.#objects;
    const version = objects.versionOf(READ_KINDS);
    if (this.#pod !== pod || this.#version !== version) {
      this.#pod = pod;
      this.#version = version;
      this.#known = {};
    }
    const key = hasCSINode ? 'with' : 'without';
    let wanted = this.#known[key];
    if (wanted === undefined) {
      const volumes = new Map<string, string>();
      const problem = collectAttachableVolumes(pod, { objects, hasCSINode, requireClaims: true }, volumes);
      wanted = { problem, volumes };
      this.#known[key] = wanted;
    }
    return wanted;
  }
}

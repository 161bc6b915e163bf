import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { collectAttachableVolumes, type VolumeProblem } from './attachable-volumes.ts';
import { READ_KINDS } from './attached-volumes.ts';

/** What a pod needs to have attached: unique name to driver; or why that cannot be told. */
interface Wanted {
  readonly problem: VolumeProblem | null;
  readonly volumes: ReadonlyMap<string, string>;
}

/** The volumes of the pod that is being placed: thousands of nodes ask for the same one's. */
export class WantedVolumes {
  readonly #objects: ClusterObjects;
  #pod: PodInfo | null = null;
  #version = -1;
  /** With a CSINode, and without. */
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

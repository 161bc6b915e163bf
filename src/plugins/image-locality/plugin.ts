import type { Pod, PodSpec } from '../../api/pod.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { MAX_NODE_SCORE, type ScorePlugin, type Snapshot } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { memoized } from '../../lib/memoized.ts';
import { RecentMap } from '../../lib/recent-map.ts';

export const IMAGE_LOCALITY = 'ImageLocality';

const MEBIBYTE = 1024 * 1024;
/** The score is 0 for images below this size on the node ... */
const MIN_THRESHOLD_BYTES = 23 * MEBIBYTE;
/** ... and 100 from this size for each container on. */
const MAX_CONTAINER_THRESHOLD_BYTES = 1000 * MEBIBYTE;

/** Prefers nodes that hold the pod's images, weighted by the share of nodes that hold an image. */
export class ImageLocality implements ScorePlugin {
  readonly name = IMAGE_LOCALITY;
  readonly scoreReads = 'images';
  readonly #snapshot: Snapshot;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  dependsOn(pod: Pod): unknown {
    const { containers = [], initContainers = [] } = pod.spec ?? {};
    return [containers.length + initContainers.length, podImages(pod)];
  }

  scoredImages(pod: Pod): readonly string[] {
    return podImages(pod);
  }

  score(_state: CycleState, pod: PodInfo, node: NodeInfo): number {
    if (node.images.size === 0) return 0;
    const { containers = [], initContainers = [] } = pod.pod.spec ?? {};
    let bytes = 0;
    for (const image of podImages(pod.pod)) bytes += this.#scaledBytes(image, node);
    if (bytes <= MIN_THRESHOLD_BYTES) return 0;
    // Image volumes add to the sum, but not to the upper threshold.
    const maxThreshold = MAX_CONTAINER_THRESHOLD_BYTES * (containers.length + initContainers.length);
    const clamped = Math.min(bytes, maxThreshold);
    return Math.trunc((MAX_NODE_SCORE * (clamped - MIN_THRESHOLD_BYTES)) / (maxThreshold - MIN_THRESHOLD_BYTES));
  }

  /** The size of an image that few nodes hold counts for little, so that not all pods gather on those nodes. */
  #scaledBytes(image: string, node: NodeInfo): number {
    const state = node.images.get(image);
    return state === undefined ? 0 : Math.trunc(state.sizeBytes * (state.nodeCount / this.#snapshot.nodeCount));
  }
}

const MOST_SPECS = 1024;

/** The full name of every image that the pod needs, repeated as often as it is used. */
export function podImages({ spec }: Pod): readonly string[] {
  return spec ? specImages(spec) : [];
}

const specImages = memoized(namesOfImages, new RecentMap<PodSpec, readonly string[]>(MOST_SPECS));

function namesOfImages({ containers = [], initContainers = [], volumes = [] }: PodSpec): readonly string[] {
  const references = [...initContainers, ...containers].map((container) => container.image);
  for (const volume of volumes) if (volume.image) references.push(volume.image.reference);
  return references.map((reference) => normalizedImageName(reference ?? ''));
}

/** Kubelets report images with a tag, so a name without a tag means ":latest". */
function normalizedImageName(name: string): string {
  return name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
}

import type { Node, Taint } from '../api/node.ts';
import type { ResourceList } from '../api/quantity.ts';

/** What differs from the default node of a test. */
export interface NodeOptions {
  readonly cpu?: string | number;
  readonly memory?: string | number;
  readonly pods?: string | number;
  /** Further resources, or the same ones to override the defaults; an entry of 0 stays. */
  readonly allocatable?: ResourceList;
  readonly labels?: Readonly<Record<string, string>>;
  /** `topology.kubernetes.io/zone`. */
  readonly zone?: string;
  readonly taints?: readonly Taint[];
  readonly unschedulable?: boolean;
  /** Bytes by image name. */
  readonly images?: Readonly<Record<string, number>>;
  readonly features?: readonly string[];
}

/** A node with 4 cpus, 16 GiB and room for 110 pods unless the options differ. */
export function makeNode(name: string, options: NodeOptions = {}): Node {
  const { cpu = 4, memory = '16Gi', pods = 110, allocatable = {}, labels = {}, zone, images = {} } = options;
  return {
    metadata: { name, labels: zone === undefined ? labels : { ...labels, 'topology.kubernetes.io/zone': zone } },
    spec: { unschedulable: options.unschedulable, taints: options.taints },
    status: {
      allocatable: { cpu, memory, pods, ...allocatable },
      images: Object.entries(images).map(([image, sizeBytes]) => ({ names: [image], sizeBytes })),
      declaredFeatures: options.features,
    },
  };
}

import type { NodeSelectorTerm, PreferredSchedulingTerm } from '../api/node-selector.ts';
import type { ContainerPort, Pod, PodSpec, PodStatus } from '../api/pod.ts';
import type { ResourceList } from '../api/quantity.ts';
import type { Toleration } from '../api/taints.ts';

/** What differs from the default pod of a test. */
export interface PodOptions {
  readonly namespace?: string;
  /** The one container's requests. */
  readonly requests?: ResourceList;
  readonly image?: string;
  readonly ports?: readonly ContainerPort[];
  readonly nodeName?: string;
  readonly tolerations?: readonly Toleration[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly required?: readonly NodeSelectorTerm[];
  readonly preferred?: readonly PreferredSchedulingTerm[];
  readonly gates?: readonly string[];
  /** Overrules everything above. */
  readonly spec?: PodSpec;
  readonly status?: PodStatus;
}

/** A pod of one container that requests nothing unless the options differ. */
export function makePod(name: string, options: PodOptions = {}): Pod {
  const { namespace = 'default', requests, image = 'app', ports, nodeName, tolerations, nodeSelector } = options;
  const { required, preferred, gates, spec, status } = options;
  const nodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: required && { nodeSelectorTerms: required },
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  };
  return {
    metadata: { name, namespace },
    spec: {
      containers: [{ name: 'app', image, ports, resources: { requests } }],
      nodeName,
      tolerations,
      nodeSelector,
      affinity: required || preferred ? { nodeAffinity } : undefined,
      schedulingGates: gates?.map((gate) => ({ name: gate })),
      ...spec,
    },
    status,
  };
}

import { mergeMatchLabelKeys } from '../../api/match-label-keys.ts';
import type { Labels } from '../../api/meta.ts';
import type { PodSpec } from '../../api/pod.ts';
import { podQosClass } from '../../api/pod-qos.ts';
import type { JsonObject } from '../../kinds/object/json.ts';
import type { KindStrategy } from './kind-strategy.ts';

const GATED = 'Scheduling is blocked due to non-empty scheduling gates';

/** The address and the list of addresses agree; where both are given and differ, the single one counts. */
function withAddresses(status: JsonObject): JsonObject {
  const { podIP, podIPs } = status as { podIP?: string; podIPs?: { ip?: string }[] };
  const first = podIPs?.[0]?.ip;
  if (podIP === first) return status;
  if (podIP) return { ...status, podIPs: [{ ip: podIP }] };
  return first === undefined ? status : { ...status, podIP: first };
}

/** Upstream: podStrategy in pkg/registry/core/pod. */
export const POD_STRATEGY: Partial<KindStrategy> = {
  reconcile(pod) {
    if (pod['status'] !== undefined) pod['status'] = withAddresses(pod['status'] as JsonObject);
  },
  prepareCreate(pod, { now }) {
    const spec = mergeMatchLabelKeys(pod['spec'] as unknown as PodSpec, pod.metadata?.labels as Labels | undefined);
    pod['spec'] = spec as unknown as JsonObject;
    const status: JsonObject = { phase: 'Pending', qosClass: podQosClass(spec) };
    if ((spec.schedulingGates ?? []).length > 0) {
      const condition = { type: 'PodScheduled', status: 'False', lastProbeTime: null, lastTransitionTime: now };
      status['conditions'] = [{ ...condition, reason: 'SchedulingGated', message: GATED }];
    }
    pod['status'] = status;
  },
  prepareStatusUpdate(pod, old) {
    const metadata = { ...pod.metadata };
    if (old.metadata?.ownerReferences === undefined) delete metadata.ownerReferences;
    else metadata.ownerReferences = old.metadata.ownerReferences;
    pod.metadata = metadata;
  },
};

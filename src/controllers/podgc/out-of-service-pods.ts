import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { inEvictionOrder } from './eviction-order.ts';

const OUT_OF_SERVICE_TAINT = 'node.kubernetes.io/out-of-service';

/**
 * Terminating pods on nodes that an administrator declared out of service: no node agent will finish their deletion,
 * and until it is finished their volumes cannot be attached elsewhere.
 */
export function terminatingPodsOutOfService(pods: readonly Pod[], nodes: Lister<Node>): readonly Pod[] {
  return inEvictionOrder(
    pods.filter(({ metadata, spec }) => {
      if (!metadata?.deletionTimestamp) return false;
      const node = nodes.get('', spec?.nodeName ?? '');
      return node !== undefined && !isReady(node) && isOutOfService(node);
    }),
  );
}

function isOutOfService(node: Node): boolean {
  return node.spec?.taints?.some(({ key }) => key === OUT_OF_SERVICE_TAINT) ?? false;
}

function isReady(node: Node): boolean {
  return node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

import type { Node } from '../../api/node.ts';
import type { Pod, PodSpec } from '../../api/pod.ts';
import { Prng } from '../../lib/prng.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import { container, sharedSpec, syntheticNode, syntheticPod } from './basic.ts';

const NODE_CPUS = [8, 16, 32, 64] as const;
const MEMORY_GIB_PER_CPU = 4;
const POOLS = ['pool-a', 'pool-b', 'pool-c', 'pool-d', 'pool-e'] as const;
const POOL_LABEL = 'pool';
const TAINT = { key: 'dedicated', value: 'batch', effect: 'NoSchedule' } as const;

const POD_CPUS = ['50m', '100m', '150m', '200m', '250m', '500m', '750m', '1', '2', '4'] as const;
const POD_MEMORIES = ['64Mi', '256Mi', '1Gi', '4Gi', '16Gi'] as const;

/** Every combination of a cpu and a memory request: 50 signatures. */
const HETERO_SIGNATURE_COUNT = POD_CPUS.length * POD_MEMORIES.length;

/**
 * Four node shapes and five pools in turn, a fifth of the nodes tainted; pods of 50 signatures, equally many of each,
 * in random order. Of the signatures (and so of the pods) 20 % select a pool, 50 % tolerate the taint and 10 % prefer a
 * pool, independently of each other. Which nodes and signatures those are, and the order, follow from the seed.
 */
export function heteroCluster(nodeCount: number, podCount: number, seed: number): ClusterManifest {
  const prng = new Prng(seed);
  return { nodes: heteroNodes(nodeCount, prng), pods: heteroPods(podCount, prng) };
}

function heteroNodes(nodeCount: number, prng: Prng): Node[] {
  const tainted = chosen(nodeCount, 20, prng);
  return tainted.map((isTainted, i) => {
    const cpu = NODE_CPUS[i % NODE_CPUS.length] as number;
    return syntheticNode(i, String(cpu), `${cpu * MEMORY_GIB_PER_CPU}Gi`, {
      labels: { [POOL_LABEL]: POOLS[i % POOLS.length] as string },
      spec: isTainted ? { taints: [TAINT] } : {},
    });
  });
}

function heteroPods(podCount: number, prng: Prng): Pod[] {
  const selecting = chosen(HETERO_SIGNATURE_COUNT, 20, prng);
  const tolerating = chosen(HETERO_SIGNATURE_COUNT, 50, prng);
  const preferring = chosen(HETERO_SIGNATURE_COUNT, 10, prng);
  const specs: PodSpec[] = [];
  for (let i = 0; i < HETERO_SIGNATURE_COUNT; i++) {
    specs.push(
      sharedSpec({
        containers: [
          container(POD_CPUS[i % POD_CPUS.length] as string, POD_MEMORIES[Math.floor(i / POD_CPUS.length)] as string),
        ],
        ...(selecting[i] && { nodeSelector: { [POOL_LABEL]: POOLS[prng.below(POOLS.length)] as string } }),
        ...(tolerating[i] && { tolerations: [{ ...TAINT, operator: 'Equal' }] }),
        ...(preferring[i] && { affinity: preferredPool(POOLS[prng.below(POOLS.length)] as string) }),
      }),
    );
  }
  const order = Array.from({ length: podCount }, (_, i) => i % HETERO_SIGNATURE_COUNT);
  prng.shuffle(order);
  return order.map((signatureIndex, i) => syntheticPod(i, specs[signatureIndex] as PodSpec));
}

function preferredPool(pool: string): NonNullable<PodSpec['affinity']> {
  const preference = { matchExpressions: [{ key: POOL_LABEL, operator: 'In', values: [pool] }] };
  return { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, preference }] } };
}

/** Chooses exactly `percent` of `count` places (rounded), at random. */
function chosen(count: number, percent: number, prng: Prng): boolean[] {
  const chosenCount = Math.round((count * percent) / 100);
  const flags = Array.from({ length: count }, (_, i) => i < chosenCount);
  prng.shuffle(flags);
  return flags;
}

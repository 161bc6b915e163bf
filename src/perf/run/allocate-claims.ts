import type { Node } from '../../api/node.ts';
import type { AllocationResult, ResourceClaim, ResourceSlice } from '../../api/resource-claims.ts';
import { DEFAULT_FEATURE_GATES } from '../../config/feature-gates.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { groupBy } from '../../lib/group-by.ts';
import { allocatedDevices } from '../../plugins/dynamic-resources/allocator/allocated-devices.ts';
import { Allocator } from '../../plugins/dynamic-resources/allocator/allocator.ts';
import { type Pool, poolsOf } from '../../plugins/dynamic-resources/allocator/pools.ts';
import { SelectorCache } from '../../plugins/dynamic-resources/allocator/selector-cache.ts';
import { PerfError } from '../config/perf-error.ts';
import { inTasks, type RunContext, runDueTasks } from './run-context.ts';

/** Allocates all claims of the namespace, one after the other, each on the next node that can serve it. */
export async function allocResourceClaims(context: RunContext, namespace: string): Promise<void> {
  const { store } = context;
  const nodes = store.list('nodes').items;
  const classes = new Map(store.list('deviceclasses').items.map((each) => [each.metadata?.name, each]));
  const allocated = allocatedDevices(store.list('resourceclaims').items, DEFAULT_FEATURE_GATES);
  const allocator = new Allocator({
    features: DEFAULT_FEATURE_GATES,
    selectors: new SelectorCache(false),
    poolsOf: poolsByNode(store.list('resourceslices').items),
    allocated,
    deviceClass: (name) => classes.get(name),
  });
  let next = 0;
  const allocationOf = (claim: ResourceClaim): AllocationResult | undefined => {
    for (let tried = 0; tried < nodes.length; tried++) {
      const found = allocator.allocate(nodes[next++ % nodes.length] as Node, [claim]);
      if (Array.isArray(found)) return found[0];
    }
    throw new PerfError('WorkloadFailed', `no node has devices for claim ${namespace}/${claim.metadata?.name}`);
  };
  const claims = store.list('resourceclaims', { namespace }).items;
  await inTasks(context, claims.length, (i) => {
    const claim = claims[i] as ResourceClaim;
    if (claim.status?.allocation !== undefined) return;
    allocated.add(store.updateStatus('resourceclaims', { ...claim, status: { allocation: allocationOf(claim) } }));
  });
  await runDueTasks(context);
}

/** Returns a function that finds the pools of a node, once for each node. */
function poolsByNode(slices: readonly ResourceSlice[]): (node: Node) => readonly Pool[] {
  const byPool = [...groupBy(slices, ({ spec }) => JSON.stringify([spec.driver, spec.pool.name])).values()];
  /** The pools with a slice for any node that it selects, and those that name the node: others have nothing for it. */
  const forAny = byPool.filter((pool) => pool.some(({ spec }) => !spec.nodeName)).flat();
  const named = new Map<string, ResourceSlice[]>();
  for (const pool of byPool) {
    if (pool.some(({ spec }) => !spec.nodeName)) continue;
    for (const name of new Set(pool.map(({ spec }) => spec.nodeName ?? ''))) {
      getOrMake(named, name, () => []).push(...pool);
    }
  }
  const known = new Map<Node, Pool[]>();
  return (node) =>
    getOrMake(known, node, () =>
      poolsOf(node, [...forAny, ...(named.get(node.metadata?.name ?? '') ?? [])], DEFAULT_FEATURE_GATES),
    );
}

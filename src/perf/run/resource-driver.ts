import type { Node } from '../../api/node.ts';
import type { Device, ResourceClaim, ResourceSlice } from '../../api/resource-claims.ts';
import { DEFAULT_FEATURE_GATES } from '../../config/feature-gates.ts';
import { groupBy } from '../../lib/group-by.ts';
import { allocatedDevices } from '../../plugins/dynamic-resources/allocator/allocated-devices.ts';
import { Allocator } from '../../plugins/dynamic-resources/allocator/allocator.ts';
import { poolsOf } from '../../plugins/dynamic-resources/allocator/pools.ts';
import { SelectorCache } from '../../plugins/dynamic-resources/allocator/selector-cache.ts';
import { PerfError } from '../config/perf-error.ts';
import type { ResourceDriverStep } from '../config/steps.ts';
import { inTasks, type RunContext, runDueTasks } from './run-context.ts';

/** Publishes a slice with devices for every node whose name matches the pattern, as upstream's simulated driver. */
export async function createResourceDriver(context: RunContext, step: ResourceDriverStep): Promise<void> {
  const { store } = context;
  const pattern = globExpression(step.nodes);
  const names = store.list('nodes').items.flatMap(({ metadata }) => metadata?.name ?? []);
  const nodes = names.filter((name) => pattern.test(name));
  await inTasks(context, nodes.length, (i) => store.create('resourceslices', sliceOf(nodes[i] ?? '', step)));
  await runDueTasks(context);
}

/** Matches as Go's filepath.Match, with `*` and `?`. */
function globExpression(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}$`);
}

function sliceOf(nodeName: string, { driverName: driver, maxClaimsPerNode }: ResourceDriverStep): ResourceSlice {
  const devices = Array.from({ length: maxClaimsPerNode }, (_, i): Device => {
    return {
      name: `instance-${i}`,
      attributes: {
        model: { string: 'A100' },
        family: { string: 'GRID' },
        driver_version: { version: '1.2.3' },
        'dra.example.com/numa': { int: i },
      },
      capacity: { memory: { value: '1Gi' } },
    };
  });
  const pool = { name: nodeName, generation: 0, resourceSliceCount: 1 };
  return { metadata: { name: nodeName }, spec: { driver, nodeName, pool, devices } };
}

/** Allocates all claims of the namespace, one after the other, each on the next node that can serve it. */
export async function allocResourceClaims(context: RunContext, namespace: string): Promise<void> {
  const { store } = context;
  const nodes = store.list('nodes').items;
  const slices = groupBy(store.list('resourceslices').items, ({ spec }) => spec.pool.name);
  const classes = new Map(store.list('deviceclasses').items.map((each) => [each.metadata?.name, each]));
  const allocated = groupBy(store.list('resourceclaims').items, poolOf);
  const claims = store.list('resourceclaims', { namespace }).items;
  const selectors = new SelectorCache(false);
  let next = 0;
  const allocate = (claim: ResourceClaim): ResourceClaim => {
    for (let tried = 0; tried < nodes.length; tried++) {
      const node = nodes[next++ % nodes.length] as Node;
      const pool = node.metadata?.name ?? '';
      const allocator = new Allocator({
        features: DEFAULT_FEATURE_GATES,
        selectors,
        poolsOf: () => poolsOf(node, slices.get(pool) ?? [], DEFAULT_FEATURE_GATES),
        allocated: allocatedDevices(allocated.get(pool) ?? [], DEFAULT_FEATURE_GATES),
        deviceClass: (name) => classes.get(name),
      });
      const found = allocator.allocate(node, [claim]);
      if (Array.isArray(found)) return { ...claim, status: { allocation: found[0] } };
    }
    throw new PerfError('WorkloadFailed', `no node has devices for claim ${namespace}/${claim.metadata?.name}`);
  };
  await inTasks(context, claims.length, (i) => {
    const claim = claims[i] as ResourceClaim;
    if (claim.status?.allocation !== undefined) return;
    const written = store.updateStatus('resourceclaims', allocate(claim));
    const known = allocated.get(poolOf(written));
    if (known === undefined) allocated.set(poolOf(written), [written]);
    else known.push(written);
  });
  await runDueTasks(context);
}

/** The pool of the claim's devices, which is that of one node; '' if it has none. */
function poolOf({ status }: ResourceClaim): string {
  return status?.allocation?.devices?.results?.[0]?.pool ?? '';
}

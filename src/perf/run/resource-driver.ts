import type { Device, ResourceSlice } from '../../api/resource-claims.ts';
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

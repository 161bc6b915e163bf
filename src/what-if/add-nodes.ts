import type { Node } from '../api/node.ts';
import { HOSTNAME_LABEL, ZONE_LABEL } from '../api/topology-spread.ts';
import { type NodeShape, parseShape } from '../simulation/node-shape.ts';
import { slicesOf } from '../simulation/shape-devices.ts';
import type { Trial } from './trial.ts';

/** As many nodes as kube-scheduler is made for. */
const NODES_MAX = 5000;

export interface Addition {
  /** The least number of new nodes with which as many pods have a node as with any number of them. */
  readonly count: number;
  /** The cluster with these nodes. */
  readonly trial: Trial;
}

/**
 * Finds how many nodes of these shapes, in turn, it takes until all pods that wait have a node, or until more of them
 * change nothing. More nodes are taken to help at least as much as fewer.
 */
export async function addNodes(base: Trial, shapes: readonly string[]): Promise<Addition> {
  const parsed = shapes.map(parseShape);
  const zones = zonesOf(base);
  const withNodes = async (count: number): Promise<Trial> => {
    const trial = base.fork();
    for (const [i, node] of newNodes(base, count, parsed, zones).entries()) {
      const { devices } = parsed[i % parsed.length] as NodeShape;
      for (const slice of slicesOf(node.metadata?.name ?? '', devices)) {
        trial.scheduler.setObject('ResourceSlice', slice);
      }
      trial.scheduler.addNode(node);
    }
    await trial.settle();
    return trial;
  };
  let low = 0;
  let high = { count: 0, trial: await withNodes(0) };
  // A pod that fits on no new node shows itself when there is a new node for each pod, of each shape, in each zone.
  const most = Math.min(NODES_MAX, base.waiting.length * shapes.length * Math.max(zones.length, 1));
  for (let last = 0; high.trial.waiting.length > 0 && last < most; ) {
    const count = Math.min(Math.max(last * 2, 1), most);
    const trial = await withNodes(count);
    if (trial.waiting.length < high.trial.waiting.length) {
      low = last;
      high = { count, trial };
    }
    last = count;
  }
  while (high.count - low > 1) {
    const count = Math.floor((low + high.count) / 2);
    const trial = await withNodes(count);
    if (trial.waiting.length <= high.trial.waiting.length) high = { count, trial };
    else low = count;
  }
  return high;
}

/** New nodes in the zones of the cluster, in turn, unless their shape names one. */
function newNodes(
  { scheduler }: Trial,
  count: number,
  shapes: readonly NodeShape[],
  zones: readonly string[],
): readonly Node[] {
  return Array.from({ length: count }, (_, i) => {
    const { amounts, labels, taints } = shapes[i % shapes.length] as NodeShape;
    let name = `new-${String(i + 1).padStart(4, '0')}`;
    while (scheduler.has('Node', name)) name += '-more';
    const zone = zones[Math.floor(i / shapes.length) % Math.max(zones.length, 1)];
    const own = { [HOSTNAME_LABEL]: name, ...(zone !== undefined && { [ZONE_LABEL]: zone }), ...labels };
    return {
      metadata: { name, uid: name, labels: own },
      spec: { taints },
      status: { capacity: amounts, allocatable: amounts },
    };
  });
}

function zonesOf({ scheduler }: Trial): readonly string[] {
  const zones = scheduler.nodes().flatMap(({ node }) => node.metadata?.labels?.[ZONE_LABEL] ?? []);
  return [...new Set(zones)].sort();
}

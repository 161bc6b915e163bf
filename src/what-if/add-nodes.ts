import type { Node } from '../api/node.ts';
import type { ResourceSlice } from '../api/resource-claims.ts';
import { HOSTNAME_LABEL, ZONE_LABEL } from '../api/topology-spread.ts';
import { type NodeShape, parseShape } from '../simulation/node-shape.ts';
import { slicesOf } from '../simulation/shape-devices.ts';
import type { DaemonPods } from './daemon-pods.ts';
import type { Trial } from './trial.ts';

/** The most nodes that kube-scheduler is made for. */
const NODES_MAX = 5000;

export interface Addition {
  /** The least number of new nodes with which as many pods have a node as with any number of them. */
  readonly count: number;
  /** The cluster with these nodes. */
  readonly trial: Trial;
}

/**
 * Finds how many nodes of these shapes, in turn, it takes until all pods that wait have a node, or until more of them
 * change nothing. More nodes are taken to help at least as much as fewer. Pods of DaemonSets come with each node.
 */
export async function addNodes(base: Trial, shapes: readonly string[], daemonPods: DaemonPods): Promise<Addition> {
  const present = base.scheduler.nodes().map(({ node }) => node);
  const zones = zonesOf(present);
  const withNodes = async (count: number): Promise<Trial> => {
    const trial = base.fork();
    const { nodes, slices } = newNodes(count, shapes, present);
    for (const slice of slices) trial.scheduler.setObject('ResourceSlice', slice);
    for (const node of nodes) trial.scheduler.addNode(node);
    for (const pod of daemonPods(nodes)) trial.scheduler.schedule(pod);
    await trial.settle();
    return trial;
  };
  let low = 0;
  let high = { count: 0, trial: await withNodes(0) };
  /** Ends the trial that is worse. */
  const chosen = (trial: Trial, isBetter: boolean): boolean => {
    (isBetter ? high.trial : trial).scheduler[Symbol.dispose]();
    return isBetter;
  };
  // A pod that fits on no new node shows itself when there is a new node for each pod, of each shape, in each zone.
  const most = Math.min(NODES_MAX, base.waiting.length * shapes.length * Math.max(zones.length, 1));
  for (let last = 0; high.trial.waiting.length > 0 && last < most; ) {
    const count = Math.min(Math.max(last * 2, 1), most);
    const trial = await withNodes(count);
    if (chosen(trial, trial.waiting.length < high.trial.waiting.length)) {
      low = last;
      high = { count, trial };
    }
    last = count;
  }
  while (high.count - low > 1) {
    const count = Math.floor((low + high.count) / 2);
    const trial = await withNodes(count);
    if (chosen(trial, trial.waiting.length <= high.trial.waiting.length)) high = { count, trial };
    else low = count;
  }
  return high;
}

/** New nodes of these shapes, in turn, in the zones of those that are there unless a shape names one. */
export function newNodes(
  count: number,
  shapes: readonly string[],
  present: readonly Node[],
): { readonly nodes: readonly Node[]; readonly slices: readonly ResourceSlice[] } {
  const parsed = shapes.map(parseShape);
  const zones = zonesOf(present);
  const taken = new Set(present.map(({ metadata }) => metadata?.name));
  const slices: ResourceSlice[] = [];
  const nodes = Array.from({ length: count }, (_, i): Node => {
    const { amounts, labels, taints, devices } = parsed[i % parsed.length] as NodeShape;
    let name = `new-${String(i + 1).padStart(4, '0')}`;
    while (taken.has(name)) name += '-more';
    slices.push(...slicesOf(name, devices));
    const zone = zones[Math.floor(i / parsed.length) % Math.max(zones.length, 1)];
    const own = { [HOSTNAME_LABEL]: name, ...(zone !== undefined && { [ZONE_LABEL]: zone }), ...labels };
    return {
      metadata: { name, uid: name, labels: own },
      spec: { taints },
      status: { capacity: amounts, allocatable: amounts },
    };
  });
  return { nodes, slices };
}

function zonesOf(nodes: readonly Node[]): readonly string[] {
  return [...new Set(nodes.flatMap(({ metadata }) => metadata?.labels?.[ZONE_LABEL] ?? []))].sort();
}

/** Threads: `index: false` visits every node, and nodes are enough for sharing. */
import { Scheduler } from 'kube-berth';

const NODES = 20_000;
const PODS = 30;

function placements(workers: number): string {
  using scheduler = new Scheduler({ workers, index: false });
  for (let i = 0; i < NODES; i++) {
    const allocatable = { cpu: `${2 + (i % 7)}`, memory: '16Gi', pods: '30' };
    scheduler.addNode({ metadata: { name: `node-${i}` }, status: { allocatable } });
  }
  const nodes: string[] = [];
  for (let i = 0; i < PODS; i++) {
    const resources = { requests: { cpu: `${100 * (1 + (i % 9))}m` } };
    const pod = { metadata: { name: `pod-${i}` }, spec: { containers: [{ name: 'main', resources }] } };
    const result = scheduler.schedule(pod);
    nodes.push(result.status === 'scheduled' ? result.node : result.status);
  }
  if (scheduler.workers !== workers) throw new Error(`${scheduler.workers} workers instead of ${workers}`);
  return nodes.join(' ');
}

console.log(placements(2) === placements(1) ? 'the same with two workers' : 'another decision with two workers');

/**
 * A plugin with columns: it prefers nodes whose GPUs are nearly used up, so that whole machines stay free for large
 * jobs. `score` is what it does, `scoreColumns` the same over typed columns of all nodes, and the golden runner holds
 * one against the other on every engine.
 */
import { Scheduler } from 'kube-berth';
import { type NodeInfo, type PluginFactory, type PodInfo, unschedulable, withPlugins } from 'kube-berth/plugins';
import { type GoldenCase, makeNode, makePod, playCase } from 'kube-berth/testing';

const GPU = 'nvidia.com/gpu';
const MOST_POINTS = 100;

const gpusOf = ({ requirements }: PodInfo): number => Number(requirements.requests.scalar.get(GPU) ?? 0);

function points(total: number, used: number, wanted: number): number {
  return total === 0 || wanted === 0 ? 0 : Math.floor((MOST_POINTS * Math.min(total, used + wanted)) / total);
}

const newGpuPacking: PluginFactory = () => ({
  name: 'GpuPacking',
  filterReads: 'node',
  scoreReads: 'nodePods',
  // Only the requests of a pod make a difference, so all pods with the same ones share what is computed.
  dependsOn: ({ spec }) => spec.containers?.map(({ resources }) => resources?.requests),
  filter: (_state, pod, node) =>
    gpusOf(pod) > 0 && node.node.metadata?.labels?.['gpu-driver'] === 'broken'
      ? unschedulable('node(s) had a broken GPU driver')
      : null,
  score: (_state, pod, node: NodeInfo) => {
    const total = Number(node.allocatable.scalar.get(GPU) ?? 0);
    return points(total, Number(node.requested.scalar.get(GPU) ?? 0), gpusOf(pod));
  },
  scoreColumns(pod, nodes, out, from, to) {
    const { allocatable, requested } = nodes.resource(GPU);
    const wanted = gpusOf(pod);
    for (let slot = from; slot < to; slot++) out[slot] = points(allocatable[slot] ?? 0, requested[slot] ?? 0, wanted);
  },
});

const options = withPlugins({ GpuPacking: newGpuPacking }, { GpuPacking: { weight: 10 } });
const nodes = [
  makeNode('small', { allocatable: { [GPU]: 4 } }),
  makeNode('large', { allocatable: { [GPU]: 8 } }),
  makeNode('broken', { allocatable: { [GPU]: 8 }, labels: { 'gpu-driver': 'broken' } }),
];
const jobs = [1, 2, 1, 8].map((gpus, i) => makePod(`job-${i}`, { requests: { cpu: '100m', [GPU]: gpus } }));

const scheduler = new Scheduler(options);
for (const node of nodes) scheduler.addNode(node);
for (const job of jobs) {
  const result = scheduler.schedule(job);
  console.log(
    `${job.metadata?.name}: ${result.status === 'scheduled' ? result.node : 'message' in result && result.message}`,
  );
}

const golden: GoldenCase = { name: 'GPU jobs', nodes, schedule: jobs };
const differences = playCase(golden, options);
console.log(differences.length === 0 ? 'all engines agree' : differences.join('\n'));

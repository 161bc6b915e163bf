/** What if a node were lost? A fork knows and decides the same; what happens to it does not happen to the original. */
import { type Pod, Scheduler } from 'kube-berth';

const scheduler = new Scheduler();
for (const name of ['node-a', 'node-b', 'node-c']) {
  scheduler.addNode({ metadata: { name }, status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } } });
}
const pods: Pod[] = ['one', 'two', 'three', 'four', 'five'].map((name) => ({
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu: '2' } } }] },
}));
const placed = scheduler.scheduleBatch(pods);

const fork = scheduler.fork();
const lost = pods.filter((_, i) => placed.nodeName(i) === 'node-a');
for (const { metadata } of lost) fork.removePod('default', metadata?.name ?? '');
fork.removeNode('node-a');
for (const pod of lost) {
  const result = fork.schedule(pod);
  console.log(`${pod.metadata?.name}: ${result.status === 'scheduled' ? `moves to ${result.node}` : result.status}`);
}
console.log(`the original still has node-a: ${scheduler.has('Node', 'node-a')}`);

/** Many pods at once: results are numbers side by side, and objects only for the pods that one asks about. */
import { Scheduler } from 'kube-berth';

const scheduler = new Scheduler();
for (let i = 0; i < 1000; i++) {
  const allocatable = { cpu: '4', memory: '16Gi', pods: '110' };
  scheduler.addNode({ metadata: { name: `node-${i}` }, status: { allocatable } });
}
const pods = Array.from({ length: 5000 }, (_, i) => ({
  metadata: { name: `pod-${i}`, namespace: 'default' },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu: '900m', memory: '1Gi' } } }] },
}));

const results = scheduler.scheduleBatch(pods);

const podsByNode = new Map<string, number>();
let pending = 0;
for (let i = 0; i < results.length; i++) {
  const node = results.nodeName(i);
  if (node === null) pending++;
  else podsByNode.set(node, (podsByNode.get(node) ?? 0) + 1);
}
console.log(`${results.scheduledCount} placed on ${podsByNode.size} nodes, ${pending} pending`);
const last = results.at(results.length - 1);
console.log(last.status === 'unschedulable' ? last.message : last.status);

/**
 * A whole control plane in one process, on a virtual clock: pods are created, scheduled and run, and a watch delivers
 * what happens to them.
 */
import { Cluster } from 'kube-berth/cluster';

const cluster = new Cluster({ seed: 1, scheduler: {}, nodeAgents: {} });
cluster.start();
const { resourceVersion } = cluster.store.list('pods');
const watch = cluster.client.watch('pods', { resourceVersion });

const allocatable = { cpu: '2', memory: '4Gi', pods: '10' };
cluster.store.create('nodes', { metadata: { name: 'node-a' }, status: { allocatable, capacity: allocatable } });
for (const name of ['one', 'two', 'three']) {
  const annotations = { 'berth.dev/run-duration': '10s' };
  const containers = [{ name: 'main', image: 'app:1', resources: { requests: { cpu: '1' } } }];
  cluster.store.create('pods', {
    metadata: { name, namespace: 'default', annotations },
    spec: { restartPolicy: 'Never', containers },
  });
}
cluster.runFor(60_000);
for (let event = watch.next(); event !== undefined; event = watch.next()) {
  if (!('object' in event)) continue;
  const { metadata, spec, status } = event.object;
  console.log(`${event.type} ${metadata?.name}: ${status?.phase}${spec?.nodeName ? ` on ${spec.nodeName}` : ''}`);
}
watch.stop();
cluster.stop();

/** A cluster of the API server, with objects of the library: prints what both know. */
import { Cluster, isApiError, Store } from 'kube-berth/cluster';
import { serve } from 'kube-berth-cli/apiserver';

const served = await serve({ tls: false, clock: 'stepped', agents: true });
const store: Store = served.cluster.store;
console.log(served.cluster instanceof Cluster, store instanceof Store);
const allocatable = { cpu: '4', memory: '8Gi', pods: '110' };
store.create('nodes', { metadata: { name: 'made-by-the-library' }, status: { allocatable, capacity: allocatable } });
const headers = { authorization: `Bearer ${served.token}` };
const answer = await fetch(`${served.url}/api/v1/nodes`, { headers });
const { items } = (await answer.json()) as { items: { metadata: { name: string } }[] };
console.log(items.map(({ metadata }) => metadata.name).join());
try {
  store.get('nodes', '', 'none');
} catch (error) {
  console.log(isApiError(error, 'NotFound'));
}
await served.close();

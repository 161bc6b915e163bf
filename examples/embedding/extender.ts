/**
 * An HTTP extender without HTTP: the transport is the embedder's, so an extender can be a function. With
 * `new HttpExtenderTransport()` the same configuration calls a real one.
 */
import { type ExtenderTransport, Scheduler } from 'kube-berth';
import { readConfiguration } from './configuration.js';

/** Accepts nodes whose name is even. */
const evenNodes: ExtenderTransport = {
  send({ body }, done) {
    const { NodeNames: names = [] } = JSON.parse(body) as { NodeNames?: string[] };
    const even = names.filter((name) => Number(name.slice('node-'.length)) % 2 === 0);
    const failedNodes = Object.fromEntries(
      names.filter((name) => !even.includes(name)).map((name) => [name, 'an odd node']),
    );
    queueMicrotask(() => done({ status: 200, body: JSON.stringify({ NodeNames: even, FailedNodes: failedNodes }) }));
    return { cancel() {} };
  },
};

const configuration = readConfiguration({}, [
  { urlPrefix: 'http://extender.local', filterVerb: 'filter', nodeCacheCapable: true, weight: 1 },
]);
const scheduler = new Scheduler({ configuration, extenderTransport: evenNodes });
for (let i = 1; i <= 3; i++) {
  scheduler.addNode({
    metadata: { name: `node-${i}` },
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
  });
}
const pod = (name: string, cpu: string) => ({
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }] },
});
console.log(JSON.stringify(await scheduler.scheduleAsync(pod('web', '3'))));
console.log(JSON.stringify(await scheduler.scheduleAsync(pod('next', '3'))));

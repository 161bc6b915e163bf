import { expect, it } from 'vitest';
import { Simulation } from '../../../src/simulation/simulation.ts';
import { readTrace } from '../../../src/simulation/trace/read-trace.ts';

const time = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
const amounts = { cpu: '4', memory: '8Gi', pods: '10' };
const node = (name: string, resourceVersion: string) => ({
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name, uid: name, resourceVersion } },
  status: { capacity: amounts, allocatable: amounts },
});
const pod = (name: string, resourceVersion: string, cpu: string, nodeName: string, phase = 'Pending') => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', uid: name, resourceVersion } },
  spec: {
    schedulerName: 'default-scheduler',
    containers: [{ name: 'c', image: 'x', resources: { requests: { cpu, memory: '1Gi' } } }],
    ...(nodeName !== '' && { nodeName }),
  },
  status: { phase },
});

/** A pod arrives, a large one on node a ends, and then the pod is bound. */
async function nodeHere(recordedNode: string): Promise<unknown> {
  const lines = [
    { format: 'berth-cluster-recording', version: 1, berth: '0', time: time(0) },
    ...[node('a', '2'), node('b', '3')].map((object) => ({ time: time(1), type: 'ADDED', listed: true, object })),
    { time: time(1), type: 'BOOKMARK', resource: 'nodes', resourceVersion: '9', listed: true },
    ...[pod('large', '4', '3', 'a', 'Running'), pod('small', '5', '1', 'b', 'Running')].map((object) => {
      return { time: time(1), type: 'ADDED', listed: true, object };
    }),
    { time: time(1), type: 'BOOKMARK', resource: 'pods', resourceVersion: '9', listed: true },
    { time: time(2), type: 'ADDED', object: pod('new', '10', '1', '') },
    { time: time(2), type: 'MODIFIED', object: pod('large', '11', '3', 'a', 'Succeeded') },
    { time: time(2), type: 'MODIFIED', object: pod('new', '12', '1', recordedNode) },
  ];
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const trace = await readTrace(
    (async function* () {
      yield bytes;
    })(),
    'recording',
  );
  const input = { seed: 1, objects: [], sources: [], faults: [], scheduler: {}, untilMillis: undefined, trace };
  const simulation = new Simulation(input);
  simulation.start();
  while (simulation.end === undefined) simulation.run(100);
  return simulation.cluster.store.get('pods', 'default', 'new').spec?.nodeName;
}

it('takes a change before a decision as seen, or as not seen, as the recorded node says', async () => {
  expect(await nodeHere('a')).toBe('a');
  expect(await nodeHere('b')).toBe('b');
});

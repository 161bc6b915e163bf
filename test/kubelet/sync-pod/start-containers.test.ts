import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { KeyBackoff } from '../../../src/client/key-backoff.ts';
import { Behaviours } from '../../../src/kubelet/simulated-runtime/behaviour.ts';
import { SimulatedRuntime } from '../../../src/kubelet/simulated-runtime/simulated-runtime.ts';
import { StartContainers, type StartResult } from '../../../src/kubelet/sync-pod/start-containers.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';

/** Starts a pod of two containers, of which the first is started in no time, and runs for ten seconds. */
function begin(behaviour: Readonly<Record<string, string>>) {
  const loop = new VirtualEventLoop(0);
  const behaviours = new Behaviours({ seed: 1 });
  const runtime = new SimulatedRuntime({ loop, behaviours, newIp: () => '10.0.0.1' });
  const annotations = Object.fromEntries(Object.entries(behaviour).map(([key, text]) => [`berth.dev/${key}`, text]));
  const containers = ['first', 'second'].map((name) => ({ name, image: `${name}:1` }));
  const pod: Pod = { metadata: { uid: 'u', name: 'p', namespace: 'default', annotations }, spec: { containers } };
  const results: StartResult[] = [];
  const start = new StartContainers({
    runtime,
    claims: {
      prepare: (_, onDone) => {
        onDone();
        return { cancel: () => {} };
      },
    },
    clock: loop,
    backoff: new KeyBackoff(loop, { initialMillis: 10_000, maxMillis: 300_000 }),
    pod,
    status: { uid: 'u', name: '', ips: [], containerStatuses: [], sandboxStatuses: [] },
    actions: { sandboxAttempt: 0, initContainers: [], containers, isKilled: false },
    onDone: (result) => results.push(result),
  });
  start.run();
  loop.runUntil(10_000);
  const started = () => runtime.listPods().flatMap((each) => each.containers.map(({ id }) => id.split('/')[1]));
  return { loop, runtime, pod, start, results, started };
}

const SLOW = [
  ['its image is pulled', { 'pull-duration.second': '30s' }],
  ['it starts', { 'start-latency.second': '30s' }],
] as const;

describe('StartContainers', () => {
  test.each(SLOW)('starts one container after the other: while %s, the second one is not there', (_, behaviour) => {
    const { loop, results, started } = begin(behaviour);
    expect(started()).toEqual(['first']);
    expect(results).toEqual([]);
    loop.runUntil(40_000);
    expect(started().sort()).toEqual(['first', 'second']);
    expect(results.map(({ outcomes }) => outcomes.map(({ failure }) => failure))).toEqual([[undefined, undefined]]);
  });

  test.each(SLOW)('a cancel ends what is under way: while %s, the second one is given up', (_, behaviour) => {
    const { loop, runtime, pod, start, results, started } = begin(behaviour);
    start.cancel();
    let isPulled = false;
    runtime.pullImage(pod, { name: 'third', image: 'third:1' }, () => {
      isPulled = true;
    });
    // A pull that was given up keeps no other one waiting.
    expect(isPulled).toBe(true);
    loop.runUntil(70_000);
    expect(started()).toEqual(['first']);
    expect(results).toEqual([]);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import type { PodLifecycleEvent } from '../../../src/kubelet/pleg/compute-events.ts';
import { EventChannel } from '../../../src/kubelet/pleg/event-channel.ts';
import { GenericPleg } from '../../../src/kubelet/pleg/generic-pleg.ts';
import { PodCache } from '../../../src/kubelet/pleg/pod-cache.ts';
import { Behaviours } from '../../../src/kubelet/simulated-runtime/behaviour.ts';
import { SimulatedRuntime } from '../../../src/kubelet/simulated-runtime/simulated-runtime.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';

const CONTAINER = { name: 'app', image: 'app' };

function podOf(index: number): Pod {
  const annotations = { 'berth.dev/run-duration': 'exponential(2s)' };
  const metadata = { uid: `pod-${index}`, name: `p${index}`, namespace: 'default', annotations };
  return { metadata, spec: { restartPolicy: 'Never', containers: [CONTAINER] } };
}

const step = fc.record({
  afterMillis: fc.nat(3000),
  what: fc.constantFrom('start', 'start', 'stop', 'remove', 'crash', 'fail', 'mend', 'look', 'reinspect'),
  pod: fc.nat(2),
});

test('every container is reported as started at most once and as died once, however the runtime fails', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const loop = new VirtualEventLoop(0);
      const runtime = new SimulatedRuntime({ loop, behaviours: new Behaviours({ seed: 1 }), newIp: () => '10.0.0.1' });
      const channel = new EventChannel(100_000);
      const cache = new PodCache((task) => loop.soon(task));
      const pleg = new GenericPleg({ runtime, cache, channel, clock: loop });
      const restarts = [0, 0, 0];
      const started = new Set<string>();
      const done = (): void => {};
      for (const { afterMillis, what, pod } of steps) {
        const id = `pod-${pod}/app/${(restarts[pod] ?? 0) - 1}`;
        if (what === 'start') {
          const restartCount = restarts[pod] as number;
          runtime.startContainer(podOf(pod), CONTAINER, restartCount, (failure) => {
            if (failure === undefined) started.add(`pod-${pod}/app/${restartCount}`);
          });
          restarts[pod] = restartCount + 1;
        } else if (what === 'stop') runtime.stopContainer(id, 0, done);
        else if (what === 'remove') runtime.removeContainer(id);
        else if (what === 'crash') runtime.crash();
        else if (what === 'fail') runtime.faults = { statusError: 'busy', listError: pod === 0 ? 'busy' : '' };
        else if (what === 'mend') runtime.faults = {};
        else if (what === 'look') pleg.relistPod(`pod-${pod}`);
        else pleg.requestReinspect(`pod-${pod}`);
        if (afterMillis % 2 === 0) pleg.relist();
        loop.runUntil(loop.nowMillis() + afterMillis);
      }
      runtime.faults = {};
      runtime.crash();
      pleg.relist();
      pleg.relist();
      const count = (type: PodLifecycleEvent['type'], id: string): number =>
        channel.peek().filter((event) => event.type === type && event.containerId === id).length;
      for (const id of started) {
        expect(count('ContainerStarted', id)).toBeLessThanOrEqual(1);
        // One that came and went between two looks was never seen.
        expect(count('ContainerDied', id)).toBeLessThanOrEqual(1);
        if (count('ContainerStarted', id) === 1) expect(count('ContainerDied', id)).toBe(1);
      }
    }),
  );
});

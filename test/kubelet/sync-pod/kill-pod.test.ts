import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { killPod } from '../../../src/kubelet/sync-pod/kill-pod.ts';
import { FakeClock } from '../../../src/lib/clock.ts';

const SIDECAR = { name: 'sidecar', restartPolicy: 'Always' };
const POD: Pod = { spec: { initContainers: [SIDECAR], containers: [{ name: 'a' }, { name: 'b' }] } };

/** Kills the pod by a runtime in which the containers of these names end as soon as they are told to. */
function kill(immediate: readonly string[]) {
  const log: string[] = [];
  const waiting = new Map<string, () => void>();
  const runtime = {
    stopContainer: (id: string, graceMillis: number, onDone: () => void) => {
      log.push(`stop ${id} in ${graceMillis}`);
      if (immediate.includes(id)) onDone();
      else waiting.set(id, onDone);
      return { cancel: () => log.push(`cancel ${id}`) };
    },
    stopSandboxes: () => log.push('stop sandboxes'),
  };
  const clock = new FakeClock();
  const running = ['sidecar', 'a', 'b'].map((name) => ({
    ...{ id: name, name, image: '', state: 'running' as const, sandboxId: 's', restartCount: 0 },
  }));
  const status = { uid: 'u', name: 'p', ips: [], containerStatuses: running, sandboxStatuses: [] };
  const operation = killPod(runtime as never, clock, POD, status, 30_000, () => log.push('done'));
  const end = (name: string): void => waiting.get(name)?.();
  return { log, clock, operation, end };
}

test('containers end before sidecars, and share one grace period', () => {
  const { log, clock, end } = kill([]);
  expect(log.splice(0)).toEqual(['stop a in 30000', 'stop b in 30000']);
  end('b');
  clock.advance(10_000);
  end('a');
  expect(log.splice(0)).toEqual(['stop sidecar in 20000']);
  end('sidecar');
  expect(log).toEqual(['stop sandboxes', 'done']);
});

test.each([
  [[], ['a', 'b']],
  [['a'], ['a', 'b']],
  [['a', 'b'], ['sidecar']],
])('a cancel reaches what is being stopped when %j end at once', (immediate, cancelled) => {
  const { log, operation, end } = kill(immediate);
  log.length = 0;
  operation.cancel();
  expect(log.splice(0)).toEqual(cancelled.map((name) => `cancel ${name}`));
  for (const name of ['a', 'b', 'sidecar']) end(name);
  expect(log).toEqual([]);
});

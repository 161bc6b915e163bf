import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { Behaviours } from '../../../src/kubelet/simulated-runtime/behaviour.ts';

const web = { name: 'web', image: 'web:1' };
const log = { name: 'log', image: 'log:1' };

function podWith(annotations: Readonly<Record<string, string>>, name = 'p'): Pod {
  return {
    metadata: { name, namespace: 'default', annotations },
    spec: { restartPolicy: 'Never', containers: [web, log] },
  };
}

describe('Behaviours', () => {
  test('the container, the pod, the image and the defaults are asked in this order', () => {
    const behaviours = new Behaviours({
      seed: 1,
      images: { 'web:1': { 'run-duration': '3s' }, 'log:1': { 'run-duration': '4s' } },
      defaults: { 'run-duration': '5s', 'exit-codes': '9' },
    });
    const annotations = { 'berth.dev/run-duration.web': '1s', 'berth.dev/run-duration': '2s' };
    expect(behaviours.of(podWith(annotations), web, 0).runMillis).toBe(1000);
    expect(behaviours.of(podWith(annotations), log, 0).runMillis).toBe(2000);
    expect(behaviours.of(podWith({}), web, 0)).toMatchObject({ runMillis: 3000, exitCode: 9 });
    expect(behaviours.of(podWith({}), { name: 'x', image: 'x' }, 0).runMillis).toBe(5000);
  });

  test('without a word a container that is to end does so, others run on', () => {
    const behaviours = new Behaviours({ seed: 1 });
    const pod = podWith({});
    expect(behaviours.of(pod, web, 0)).toEqual({
      startMillis: 0,
      runMillis: 10_000,
      exitCode: 0,
      startupMillis: 0,
      readyMillis: 0,
      stopMillis: 0,
      memoryBytes: 0,
    });
    const always = { ...pod, spec: { ...pod.spec, restartPolicy: 'Always', initContainers: [log] } };
    expect(behaviours.of(always, web, 0).runMillis).toBe(Number.POSITIVE_INFINITY);
    expect(behaviours.of(always, log, 0).runMillis).toBe(1000);
  });

  test('exit codes follow the restarts; the last one stays', () => {
    const behaviours = new Behaviours({ seed: 1 });
    const pod = podWith({ 'berth.dev/exit-codes': '2, 1,0' });
    expect([0, 1, 2, 3].map((restarts) => behaviours.of(pod, web, restarts).exitCode)).toEqual([2, 1, 0, 0]);
  });

  test('what one container draws does not depend on others', () => {
    const pod = podWith({ 'berth.dev/run-duration': 'exponential(1m)', 'berth.dev/pull-duration': 'uniform(0s,9s)' });
    const alone = new Behaviours({ seed: 5 }).of(pod, log, 3).runMillis;
    const after = new Behaviours({ seed: 5 });
    after.of(pod, web, 0);
    after.pullMillis(pod, web);
    expect(after.of(pod, log, 3).runMillis).toBe(alone);
    const others = [
      after.of(pod, log, 4),
      after.of(pod, web, 3),
      after.of({ ...pod, metadata: { ...pod.metadata, name: 'q' } }, log, 3),
      new Behaviours({ seed: 6 }).of(pod, log, 3),
    ];
    expect(others.map(({ runMillis }) => runMillis)).not.toContain(alone);
  });

  test.each([
    ['exit-codes', '1;0', 'exit-codes of container web: "1;0" is not a list of exit codes, such as 1,1,0'],
    ['exit-codes', '256', 'exit-codes of container web: "256" is not a list of exit codes, such as 1,1,0'],
    ['memory-use', 'much', 'memory-use of container web: "much" is not a quantity'],
    ['start-latency', 'soon', 'start-latency of container web: time: invalid duration "soon"'],
  ])('%s: %s is refused', (setting, text, message) => {
    const behaviours = new Behaviours({ seed: 1 });
    expect(() => behaviours.of(podWith({ [`berth.dev/${setting}`]: text }), web, 0)).toThrow(message);
  });
});

test('a pod that sets nothing does what one does that is asked about each setting', () => {
  const asked = new Behaviours({ seed: 3, defaults: {} });
  const plain = new Behaviours({ seed: 3 });
  const annotations = fc.dictionary(
    fc.constantFrom('openb/phase', 'berth.dev/', 'berth.dev/run-duration.web', 'berth.dev/stop-duration', 'berth'),
    fc.constantFrom('2s', 'uniform(1s, 9s)'),
  );
  const restartPolicy = fc.constantFrom('Always', 'Never', undefined);
  fc.assert(
    fc.property(fc.option(annotations, { nil: undefined }), restartPolicy, fc.nat(2), (given, policy, restarts) => {
      const metadata = { name: 'p', namespace: 'default', annotations: given };
      const pod: Pod = { metadata, spec: { containers: [web, log], restartPolicy: policy } };
      for (const container of [web, log]) {
        expect(plain.of(pod, container, restarts)).toEqual(asked.of(pod, container, restarts));
        expect(plain.pullMillis(pod, container)).toBe(asked.pullMillis(pod, container));
      }
    }),
  );
});

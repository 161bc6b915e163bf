import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Container, Pod, PodStatus } from '../../../src/api/pod.ts';
import { isFinalPhase } from '../../../src/api/pod-conditions.ts';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../../../src/kubelet/pleg/runtime.ts';
import { hasAllContainers } from '../../../src/kubelet/status/container-statuses.ts';
import { endedStatus } from '../../../src/kubelet/status/ended-status.ts';
import { mergedStatus, podStatus } from '../../../src/kubelet/status/pod-status.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';
import { makePod } from '../../builders/make-pod.ts';

/** What is known of a container at one moment: never made, running, or exited with a code. */
const drawnContainer = fc.option(
  fc.record({
    exitCode: fc.constantFrom(undefined, 0, 1),
    restartCount: fc.integer({ min: 0, max: 1 }),
    readyMillis: fc.constantFrom(0, 90_000),
  }),
  { nil: undefined },
);

const drawnMoment = fc.record({
  podIndex: fc.integer({ min: 0, max: 2 }),
  delayMillis: fc.constantFrom(0, 0, 400, 1700),
  containers: fc.array(drawnContainer, { minLength: 2, maxLength: 2 }),
  hasSandbox: fc.boolean(),
  isTerminal: fc.boolean(),
  failure: fc.constantFrom(undefined, undefined, undefined, { reason: 'ErrImagePull', message: 'no image' }),
});

type Moment = typeof drawnMoment extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const containers: readonly Container[] = [
  { name: 'a', image: 'i:1' },
  { name: 'b', image: 'i:2' },
];

const drawnPods = fc.record({
  restartPolicy: fc.constantFrom('Always', 'Never', 'OnFailure'),
  initCount: fc.integer({ min: 0, max: 1 }),
  moments: fc.array(drawnMoment, { minLength: 1, maxLength: 12 }),
});

function runtimeStatus(uid: string, moment: Moment, initCount: number): RuntimePodStatus {
  const containerStatuses: RuntimeContainerStatus[] = [];
  const names = [...(initCount > 0 ? ['init'] : []), 'a', 'b'];
  for (const [i, name] of names.entries()) {
    const drawn = moment.containers[i % 2];
    if (drawn === undefined) continue;
    const { exitCode, restartCount, readyMillis } = drawn;
    containerStatuses.push({
      ...{ id: `${uid}/${name}/${restartCount}`, name, image: 'i', sandboxId: `${uid}/0`, restartCount, exitCode },
      state: exitCode === undefined ? 'running' : 'exited',
      startedAtMillis: Date.UTC(2026, 0, 1),
      finishedAtMillis: exitCode === undefined ? undefined : Date.UTC(2026, 0, 1) + 500,
      reason: exitCode === undefined ? undefined : 'Completed',
      readinessPassesAtMillis: Date.UTC(2026, 0, 1) + readyMillis,
    });
  }
  const { hasSandbox } = moment;
  const sandboxStatuses = hasSandbox ? [{ id: `${uid}/0`, state: 'ready' as const }] : [];
  return { uid, name: 'p', ips: hasSandbox ? ['10.0.0.1'] : [], containerStatuses, sandboxStatuses };
}

function newStore(loop: VirtualEventLoop): Store {
  return new Store({ clock: loop, names: new RandomNames(new Prng(1)) });
}

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen);
}

/** Writes the status as something that the store knows nothing about, or returns that it is refused. */
function written(store: Store, stored: Pod, status: PodStatus, isKnown: boolean): Pod | string {
  const outcome = isKnown && stored.status !== undefined ? { before: stored.status, after: status } : undefined;
  try {
    return store.updateStatus('pods', { ...stored, status }, outcome);
  } catch (error) {
    return (error as Error).message;
  }
}

describe('podStatus', () => {
  test('shows a pod as initialised while its sidecar is restarted', () => {
    const { metadata, spec } = makePod('p', { nodeName: 'n' });
    const initContainers = [{ name: 'init', image: 'i', restartPolicy: 'Always' }];
    const pod = { metadata, spec: { ...spec, containers, initContainers } };
    const at = (exitCode: 1 | undefined, isStarted = true): unknown => {
      const drawn = { exitCode, restartCount: 0, readyMillis: 0 as const };
      const others = isStarted ? { ...drawn, exitCode: undefined } : undefined;
      const moment = { podIndex: 0, delayMillis: 0 as const, hasSandbox: true, isTerminal: false, failure: undefined };
      const statuses = runtimeStatus('u', { ...moment, containers: [drawn, others] }, 1).containerStatuses;
      const containerStatuses = statuses.filter(({ name }) => name !== 'b');
      const { conditions } = podStatus({
        ...{ pod, isTerminal: false, failure: undefined, hostIp: '192.168.0.1', before: {}, startFailures: new Map() },
        runtimeStatus: { ...runtimeStatus('u', { ...moment, containers: [] }, 1), containerStatuses },
        nowMillis: Date.UTC(2026, 0, 1),
      });
      return conditions?.find(({ type }) => type === 'Initialized')?.status;
    };
    expect([at(1, false), at(undefined), at(1)]).toEqual(['False', 'True', 'True']);
  });

  test('is in the form in which a store has it, and the same whatever is shared', () => {
    const property = fc.property(drawnPods, ({ restartPolicy, initCount, moments }) => {
      const loop = new VirtualEventLoop(Date.UTC(2026, 0, 1));
      const [store, other] = [newStore(loop), newStore(loop)];
      const init = initCount > 0 ? { initContainers: [{ name: 'init', image: 'i' }] } : {};
      for (const each of [store, other]) {
        for (const name of ['p0', 'p1', 'p2']) {
          const pod = makePod(name, { nodeName: 'n' });
          each.create('pods', { ...pod, spec: { ...pod.spec, restartPolicy, containers, ...init } });
        }
      }
      const last = new Map<number, PodStatus>();
      for (const moment of moments) {
        const { podIndex, delayMillis, isTerminal, failure } = moment;
        loop.runUntil(loop.nowMillis() + delayMillis);
        const pod = store.get('pods', 'default', `p${podIndex}`);
        const inputs = {
          ...{ pod, isTerminal, failure: undefined, hostIp: '192.168.0.1', nowMillis: loop.nowMillis() },
          runtimeStatus: runtimeStatus(pod.metadata?.uid ?? '', moment, initCount),
          startFailures: new Map(failure && [['a', failure]]),
          before: last.get(podIndex) ?? pod.status ?? {},
        };
        const status = podStatus(inputs);
        const unshared = podStatus({
          ...inputs,
          ...{ pod: structuredClone(pod), before: structuredClone(inputs.before) },
        });
        expect(status).toStrictEqual(unshared);
        expect(JSON.stringify(status)).toBe(JSON.stringify(unshared));
        expect(status).toStrictEqual(JSON.parse(JSON.stringify(status)));
        expect(isDeepFrozen(status)).toBe(true);
        const shown = pod.status ?? {};
        const merged = mergedStatus(shown, status, true);
        const unfrozen = mergedStatus(structuredClone(shown), structuredClone(status), true);
        expect(JSON.stringify(merged)).toBe(JSON.stringify(unfrozen));
        expect(isDeepFrozen(merged)).toBe(Object.isFrozen(merged));
        if (isFinalPhase(status.phase) && hasAllContainers(pod.spec, inputs.runtimeStatus)) {
          const ips = moment.delayMillis % 2 === 0 ? [] : inputs.runtimeStatus.ips;
          const again = podStatus({ ...inputs, before: status, runtimeStatus: { ...inputs.runtimeStatus, ips } });
          expect(again).toStrictEqual(status);
        }
        last.set(podIndex, status);
        const ended = isTerminal ? endedStatus(pod, status) : status;
        const [known, copied] = [store, other].map((each) =>
          written(each, each.get('pods', 'default', `p${podIndex}`), ended, each === store && Object.isFrozen(ended)),
        );
        expect(JSON.stringify(known)).toBe(JSON.stringify(copied));
      }
    });
    fc.assert(property, { numRuns: 300 });
  });
});

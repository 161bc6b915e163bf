import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Container, Pod } from '../../src/api/pod.ts';
import {
  countedRequests,
  exactPodRequests,
  podFitScoreRequests,
  podNonZeroRequests,
  podRequests,
} from '../../src/api/pod-requests.ts';
import type { ResourceList } from '../../src/api/quantity.ts';

const MI = 2 ** 20;
const container = (requests?: ResourceList, extra: Partial<Container> = {}): Container => ({
  name: 'c',
  resources: { requests },
  ...extra,
});
const sidecar = (requests: ResourceList): Container => container(requests, { restartPolicy: 'Always' });
const pod = (spec: Pod['spec'], status?: Pod['status']): Pod => ({ spec, status });
const milliCPU = (spec: Pod['spec'], status?: Pod['status']) => podRequests(pod(spec, status)).milliCPU;

test('exactPodRequests names everything, unrounded', () => {
  const requests = { cpu: 0, memory: '400m', nonsense: 7 };
  const amounts = exactPodRequests(pod({ containers: [container(requests), container(requests)] }));
  expect([...amounts].map(([name, { milliValue }]) => `${name} ${milliValue}`)).toEqual([
    ...['cpu 0', 'memory 800', 'nonsense 14000'],
  ]);
});

describe('podRequests', () => {
  test('containers are summed exactly and rounded up once', () => {
    const tiny = container({ cpu: '100n', memory: '400m', 'ephemeral-storage': '100m' });
    expect(podRequests(pod({ containers: [tiny, tiny, tiny] }))).toEqual({
      milliCPU: 1,
      memoryBytes: 2,
      ephemeralStorageBytes: 1,
      scalar: new Map(),
    });
  });

  test('scalar resources are kept, unknown names dropped', () => {
    const requests = { 'nvidia.com/gpu': 2, 'hugepages-2Mi': '4Mi', nonsense: 7 };
    expect(podRequests(pod({ containers: [container(requests), container(requests)] })).scalar).toEqual(
      new Map([
        ['nvidia.com/gpu', 4],
        ['hugepages-2Mi', 8 * MI],
      ]),
    );
  });

  test('an init container counts when it needs more than the containers together', () => {
    const containers = [container({ cpu: 1 }), container({ cpu: 1 })];
    expect(milliCPU({ containers, initContainers: [container({ cpu: '1500m' })] })).toBe(2000);
    expect(milliCPU({ containers, initContainers: [container({ cpu: 3 }), container({ cpu: 1 })] })).toBe(3000);
  });

  test('sidecars run beside the containers and beside later init containers only', () => {
    const containers = [container({ cpu: 1 })];
    expect(milliCPU({ containers, initContainers: [sidecar({ cpu: 1 })] })).toBe(2000);
    expect(milliCPU({ containers, initContainers: [sidecar({ cpu: 1 }), container({ cpu: 3 })] })).toBe(4000);
    expect(milliCPU({ containers, initContainers: [container({ cpu: 3 }), sidecar({ cpu: 1 })] })).toBe(3000);
  });

  test('pod-level requests replace cpu, memory and huge pages only; overhead comes on top', () => {
    const requests = podRequests(
      pod({
        containers: [container({ cpu: 4, memory: '1Mi', 'nvidia.com/gpu': 1 })],
        resources: { requests: { cpu: 2, 'nvidia.com/gpu': 5, 'hugepages-2Mi': '2Mi' } },
        overhead: { cpu: '250m', memory: '1Mi' },
      }),
    );
    expect(requests).toMatchObject({ milliCPU: 2250, memoryBytes: 2 * MI });
    expect(requests.scalar).toEqual(
      new Map([
        ['nvidia.com/gpu', 1],
        ['hugepages-2Mi', 2 * MI],
      ]),
    );
  });

  describe('while a resize is under way', () => {
    const status = (actual: string | number, allocated: string | number, reason?: string): Pod['status'] => ({
      containerStatuses: [
        { name: 'c', resources: { requests: { cpu: actual } }, allocatedResources: { cpu: allocated } },
      ],
      conditions: reason ? [{ type: 'PodResizePending', status: 'True', reason }] : [],
    });

    test('the largest of wanted, actual and allocated counts', () => {
      const containers = [container({ cpu: 2 })];
      expect(milliCPU({ containers }, status(1, 1))).toBe(2000);
      expect(milliCPU({ containers }, status(3, 1))).toBe(3000);
      expect(milliCPU({ containers }, status(1, 4))).toBe(4000);
      expect(milliCPU({ containers }, status(1, 1, 'Deferred'))).toBe(2000);
    });

    test('an infeasible wish does not count', () => {
      expect(milliCPU({ containers: [container({ cpu: 2 })] }, status('500m', '600m', 'Infeasible'))).toBe(600);
    });

    test('only containers that go on running follow their status', () => {
      const own = status(3, 3);
      const reported = own?.containerStatuses;
      const initOnly = { initContainerStatuses: reported };
      expect(milliCPU({ initContainers: [container({ cpu: 1 })] }, initOnly)).toBe(1000);
      expect(milliCPU({ initContainers: [sidecar({ cpu: 1 })] }, initOnly)).toBe(3000);
      expect(milliCPU({ containers: [container({ cpu: 1 }, { name: 'other' })] }, own)).toBe(1000);
    });

    test('pod-level amounts follow the pod-level status', () => {
      const spec = { containers: [container()], resources: { requests: { cpu: 1, memory: '1Mi' } } };
      const podLevel = { resources: { requests: { cpu: 2 } }, allocatedResources: { cpu: '1500m', memory: '1Mi' } };
      expect(podRequests(pod(spec, podLevel as Pod['status']))).toMatchObject({ milliCPU: 2000, memoryBytes: MI });
    });
  });

  test('more containers never need less, and an init container needs at least its own', () => {
    const cpu = fc.integer({ min: 0, max: 10_000 });
    const init = fc.record({ cpu, sidecar: fc.boolean() });
    fc.assert(
      fc.property(fc.array(cpu, { maxLength: 4 }), fc.array(init, { maxLength: 4 }), cpu, (regular, inits, added) => {
        const containers = regular.map((milli) => container({ cpu: `${milli}m` }));
        const initContainers = inits.map((entry) => (entry.sidecar ? sidecar : container)({ cpu: `${entry.cpu}m` }));
        const base = Number(milliCPU({ containers, initContainers }));
        const more = Number(milliCPU({ containers: [...containers, container({ cpu: `${added}m` })], initContainers }));
        const sidecars = inits.reduce((sum, entry) => sum + (entry.sidecar ? entry.cpu : 0), 0);
        const regularSum = regular.reduce((sum, milli) => sum + milli, 0);
        expect(base).toBeGreaterThanOrEqual(regularSum + sidecars);
        expect(base).toBeGreaterThanOrEqual(Math.max(0, ...inits.map((entry) => entry.cpu)));
        expect(more).toBeGreaterThanOrEqual(base);
        expect(more).toBeLessThanOrEqual(base + added);
      }),
    );
  });
});

describe('non-zero requests', () => {
  test('a missing request counts 100m and 200 MiB per container, a request of 0 counts 0', () => {
    expect(podNonZeroRequests(pod({ containers: [container(), container({ cpu: 1, memory: 0 })] }))).toEqual({
      milliCPU: 1100,
      memoryBytes: 200 * MI,
    });
  });

  test('init containers get the defaults too', () => {
    const spec = { containers: [container({ cpu: 0, memory: 0 })], initContainers: [container()] };
    expect(podNonZeroRequests(pod(spec))).toEqual({ milliCPU: 100, memoryBytes: 200 * MI });
  });

  test('with pod-level requests a default needs that nobody asks', () => {
    const spec = {
      containers: [container({ memory: '1Mi' }), container()],
      resources: { requests: { 'hugepages-2Mi': 0 } },
    };
    expect(podNonZeroRequests(pod(spec))).toEqual({ milliCPU: 200, memoryBytes: MI });
  });

  test('resource scores overlook pod-level requests when they use the defaults', () => {
    const placed = pod({
      containers: [container({ cpu: '500m', memory: '1Gi' }), container()],
      resources: { requests: { cpu: 3 } },
      overhead: { cpu: '500m' },
    });
    expect(podFitScoreRequests(placed)).toMatchObject({ milliCPU: 1100, memoryBytes: 1224 * MI });
    expect(podRequests(placed).milliCPU).toBe(3500);
  });
});

test('countedRequests are the three ways of counting', () => {
  const amount = fc.option(fc.constantFrom('0', '1', '250m', '1Gi', '3n'), { nil: undefined });
  const requests = fc.option(
    fc.record({ cpu: amount, memory: amount, 'nvidia.com/gpu': amount }).map((list) => defined(list)),
    { nil: undefined },
  );
  const made = fc.record({ requests, isSidecar: fc.boolean() }).map(({ requests: list, isSidecar }) => {
    return container(list, isSidecar ? { restartPolicy: 'Always' } : {});
  });
  const containers = fc.array(made, { maxLength: 3 });
  const status = fc.option(
    fc.record({
      resources: fc.option(fc.record({ requests }), { nil: undefined }),
      containerStatuses: fc.array(
        fc.record({ name: fc.constant('c'), resources: fc.option(fc.record({ requests }), { nil: undefined }) }),
        { maxLength: 1 },
      ),
    }),
    { nil: undefined },
  );
  const level = fc.option(fc.record({ requests }), { nil: undefined });
  const spec = fc.record({ containers, initContainers: containers, overhead: requests, resources: level });
  fc.assert(
    fc.property(spec, status, (made, seen) => {
      const given = pod(made as Pod['spec'], seen as Pod['status']);
      expect(countedRequests(given)).toEqual({
        requests: podRequests(given),
        fitScoreRequests: podFitScoreRequests(given),
        nonZeroRequests: podNonZeroRequests(given),
      });
    }),
    { numRuns: 300 },
  );
});

function defined(list: Readonly<Record<string, string | undefined>>): ResourceList {
  return Object.fromEntries(Object.entries(list).filter(([, text]) => text !== undefined)) as ResourceList;
}

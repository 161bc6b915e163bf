import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultNode, defaultPod } from '../../src/api/defaults.ts';
import type { Container, Pod, PodSpec } from '../../src/api/pod.ts';

const specOf = (spec: PodSpec): PodSpec => defaultPod({ metadata: { name: 'p' }, spec }).spec as PodSpec;

describe('defaultPod', () => {
  test('fills in namespace and scheduler', () => {
    expect(defaultPod({ metadata: { name: 'p' } })).toEqual({
      metadata: { name: 'p', namespace: 'default' },
      spec: { schedulerName: 'default-scheduler' },
    });
  });

  test('returns a complete pod as it is', () => {
    const complete: Pod = {
      metadata: { name: 'p', namespace: 'x' },
      spec: {
        schedulerName: 'mine',
        hostNetwork: true,
        containers: [
          {
            name: 'c',
            ports: [{ containerPort: 80, hostPort: 80, protocol: 'UDP' }],
            resources: { requests: { cpu: 1 }, limits: { cpu: 2 } },
          },
        ],
        resources: { requests: { cpu: 1 }, limits: { cpu: 2 } },
      },
    };
    expect(defaultPod(complete)).toBe(complete);
  });

  test('requests default to limits, name by name, for both kinds of containers', () => {
    const resources = { requests: { cpu: '1' }, limits: { cpu: '2', memory: '1Gi' } };
    const filled = { requests: { cpu: '1', memory: '1Gi' }, limits: resources.limits };
    const spec = specOf({ containers: [{ resources }], initContainers: [{ resources }] });
    expect(spec.containers?.[0]?.resources).toEqual(filled);
    expect(spec.initContainers?.[0]?.resources).toEqual(filled);
  });

  test('host ports follow the container ports on the host network only', () => {
    const ports = [{ containerPort: 80 }, { containerPort: 81, hostPort: 8081 }];
    expect(specOf({ hostNetwork: true, containers: [{ ports }] }).containers?.[0]?.ports).toEqual([
      { containerPort: 80, hostPort: 80, protocol: 'TCP' },
      { containerPort: 81, hostPort: 8081, protocol: 'TCP' },
    ]);
    expect(specOf({ containers: [{ ports: [{ containerPort: 80 }] }] }).containers?.[0]?.ports).toEqual([
      { containerPort: 80, protocol: 'TCP' },
    ]);
  });

  describe('pod-level requests', () => {
    test('with limits come from the containers, then from the limits', () => {
      const spec = specOf({
        containers: [{ resources: { requests: { cpu: '250m' } } }, { resources: { limits: { cpu: '1500u' } } }],
        resources: { limits: { cpu: 4, memory: '2Gi' } },
      });
      expect(spec.resources).toEqual({
        limits: { cpu: 4, memory: '2Gi' },
        requests: { cpu: '251500u', memory: '2Gi' },
      });
    });

    test('stay as they are without limits', () => {
      const resources = { requests: { cpu: 1 } };
      expect(specOf({ containers: [{ resources: { requests: { memory: '1Gi' } } }], resources }).resources).toBe(
        resources,
      );
    });

    test('huge pages follow the limits of the containers', () => {
      const resources = { limits: { 'hugepages-2Mi': '2Mi' } };
      const spec = specOf({ containers: [{ resources }, { resources }], resources: { requests: { cpu: 1 } } });
      expect(spec.resources).toEqual({
        limits: { 'hugepages-2Mi': '4194304' },
        requests: { cpu: 1, 'hugepages-2Mi': '4194304' },
      });
    });
  });

  test('is idempotent and leaves its input alone', () => {
    const list = fc.option(
      fc.dictionary(
        fc.constantFrom('cpu', 'memory', 'hugepages-2Mi', 'nvidia.com/gpu'),
        fc.constantFrom('1', '250m', '2Mi'),
      ),
      { nil: undefined },
    );
    const resources = fc.option(fc.record({ requests: list, limits: list }), { nil: undefined });
    const port = fc.record({
      containerPort: fc.constantFrom(80, 443),
      hostPort: fc.constantFrom(undefined, 0, 80),
      protocol: fc.constantFrom(undefined, '', 'TCP', 'UDP'),
    });
    const container: fc.Arbitrary<Container> = fc.record({
      resources,
      ports: fc.option(fc.array(port, { maxLength: 2 }), { nil: undefined }),
      restartPolicy: fc.constantFrom(undefined, 'Always'),
    });
    const pod: fc.Arbitrary<Pod> = fc.record({
      metadata: fc.record({ namespace: fc.constantFrom(undefined, '', 'x') }),
      spec: fc.record({
        hostNetwork: fc.constantFrom(undefined, true, false),
        schedulerName: fc.constantFrom(undefined, '', 's'),
        containers: fc.array(container, { maxLength: 2 }),
        initContainers: fc.option(fc.array(container, { maxLength: 2 }), { nil: undefined }),
        resources,
      }),
    });
    fc.assert(
      fc.property(pod, (input) => {
        const before = structuredClone(input);
        const once = defaultPod(input);
        expect(input).toEqual(before);
        expect(defaultPod(once)).toBe(once);
      }),
    );
  });
});

describe('defaultNode', () => {
  test('takes the capacity for allocatable when that is absent', () => {
    const capacity = { cpu: '4' };
    expect(defaultNode({ status: { capacity } })).toEqual({ status: { capacity, allocatable: capacity } });
  });

  test.each([{}, { status: {} }, { status: { capacity: { cpu: 4 }, allocatable: {} } }])('leaves %j alone', (node) => {
    expect(defaultNode(node)).toBe(node);
  });
});

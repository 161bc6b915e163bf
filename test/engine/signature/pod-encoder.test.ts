import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayBeResized } from '../../../src/api/pod-requests.ts';
import { PodEncoder } from '../../../src/engine/signature/pod-encoder.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import type { Pod } from '../../../src/index.ts';
import { arbitraryPodSpec, PLAIN_AMOUNTS } from '../../builders/arbitrary-cluster.ts';
import { defaultFramework } from '../../builders/default-framework.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makePod, type PodOptions } from '../../builders/make-pod.ts';

const newEncoder = (): PodEncoder => new PodEncoder(defaultFramework(makeCluster([])));

/** The key of a pod's verdicts, and a text of all that it stands for. */
function verdictKeys() {
  const encoder = newEncoder();
  const read = (pod: Pod, without = ''): unknown[] =>
    encoder.plugins
      .filter(({ name }) => name !== without)
      .map((plugin) => plugin.dependsOn?.(pod) ?? plugin.concerns?.(pod) ?? null);
  return {
    encode: (pod: Pod) => ({ key: encoder.encode(pod).verdictsKey, text: JSON.stringify(read(pod)) }),
    encodeFamily: (pod: Pod) => ({
      key: encoder.encode(pod).familyKey,
      text: JSON.stringify(read(pod, 'ImageLocality')),
    }),
  };
}

const a = { image: 'a' };
const b = { image: 'b' };
const term = (value: string) => ({ matchExpressions: [{ key: 'k', operator: 'In', values: [value] }] });

describe('PodEncoder', () => {
  test('identical pods share requirements, whatever they are called', () => {
    const encoder = newEncoder();
    const options: PodOptions = { requests: { cpu: 1, 'example.com/gpu': 1 }, nodeSelector: { a: 'b' }, gates: ['g'] };
    const first = encoder.encode(makePod('p1', options));
    expect(encoder.encode(makePod('p2', { ...options, namespace: 'other' }))).toBe(first);
    expect(encoder.encode(makePod('p3', { ...options, requests: { cpu: '1000m', 'example.com/gpu': '1' } }))).toBe(
      first,
    );
  });

  test('the requirements of a spec are worked out once', () => {
    const encoder = newEncoder();
    const { spec } = makePod('p');
    expect(encoder.encode({ spec })).toBe(encoder.encode({ spec }));
  });

  test.each<[string, PodOptions, PodOptions]>([
    ['requests', { requests: { cpu: 1 } }, { requests: { cpu: 2 } }],
    ['an explicit zero', { requests: { cpu: 0 } }, {}],
    [
      'requests beyond 2^53',
      { requests: { memory: '9007199254740993' } },
      { requests: { memory: '9007199254740992' } },
    ],
    ['extended resources', { requests: { 'x.io/a': 1 } }, { requests: { 'x.io/b': 1 } }],
    ['host ports', { ports: [{ hostPort: 80 }] }, { ports: [{ hostPort: 80, protocol: 'UDP' }] }],
    ['tolerations', { tolerations: [{ operator: 'Exists' }] }, { tolerations: [{ key: 'k', operator: 'Exists' }] }],
    ['selectors', { nodeSelector: { a: 'b' } }, { nodeSelector: { a: 'c' } }],
    ['required and preferred terms', { required: [term('x')] }, { preferred: [{ weight: 1, preference: term('x') }] }],
    [
      'weights',
      { preferred: [{ weight: 1, preference: term('x') }] },
      { preferred: [{ weight: 2, preference: term('x') }] },
    ],
    ['images', { image: 'a' }, { image: 'b' }],
    [
      'an init container and an image volume',
      { spec: { initContainers: [a], containers: [b] } },
      { spec: { containers: [a], volumes: [{ image: { reference: 'b' } }] } },
    ],
    ['node names', { nodeName: 'n1' }, { nodeName: 'n2' }],
    [
      'features',
      {},
      { spec: { containers: [{ image: 'app', restartPolicyRules: [{ action: 'RestartAllContainers' }] }] } },
    ],
  ])('distinguishes pods by %s', (_, one, other) => {
    const encoder = newEncoder();
    expect(encoder.encode(makePod('p', one))).not.toBe(encoder.encode(makePod('p', other)));
  });

  test('a status that says nothing of resources changes no requirements', () => {
    const given = { requests: { cpu: 5 } };
    const containerStatus = fc.record({
      name: fc.constantFrom('app', 'side'),
      allocatedResources: fc.constantFrom(undefined, { cpu: '3' }),
      resources: fc.constantFrom(undefined, undefined, undefined, given),
    });
    const status = fc.record({
      containerStatuses: fc.option(fc.array(containerStatus, { maxLength: 2 }), { nil: undefined }),
      initContainerStatuses: fc.option(fc.array(containerStatus, { maxLength: 1 }), { nil: undefined }),
      conditions: fc.constantFrom([], [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }]),
      resources: fc.constantFrom(undefined, undefined, given),
    });
    const { spec } = makePod('p', { requests: { cpu: 1 } });
    fc.assert(
      fc.property(status, (said) => {
        if (!mayBeResized(said)) expect(podRequirements({ spec, status: said })).toEqual(podRequirements({ spec }));
      }),
    );
  });

  test('pods have one key of verdicts if and only if plugins read the same of them', () => {
    const { encode } = verdictKeys();
    fc.assert(
      fc.property(fc.array(arbitraryPodSpec(PLAIN_AMOUNTS), { minLength: 1, maxLength: 6 }), (specs) => {
        const pods = [...specs, ...specs.map((spec) => structuredClone(spec))].map((spec) => ({ spec }) as Pod);
        for (const one of pods) {
          for (const other of pods)
            expect(encode(one).key === encode(other).key).toBe(encode(one).text === encode(other).text);
        }
      }),
    );
  });

  test('pods are of one family if and only if plugins read the same of them apart from images', () => {
    const { encodeFamily } = verdictKeys();
    fc.assert(
      fc.property(fc.array(arbitraryPodSpec(PLAIN_AMOUNTS), { minLength: 1, maxLength: 4 }), (specs) => {
        const others = specs.map((spec) => {
          const { containers, ...rest } = structuredClone(spec);
          return {
            ...rest,
            containers: (containers ?? []).map((container, i) => ({ ...container, image: `other-${i}` })),
          };
        });
        const pods = [...specs, ...others].map((spec) => ({ spec }) as Pod);
        for (const one of pods) {
          for (const other of pods) {
            const [a, b] = [encodeFamily(one), encodeFamily(other)];
            expect(a.key === b.key).toBe(a.text === b.text);
          }
        }
      }),
    );
  });

  const resources = { requests: { cpu: 5 } };
  test.each<[string, Pod['status']]>([
    ['a container', { containerStatuses: [{ name: 'app', resources }] }],
    ['a sidecar', { initContainerStatuses: [{ name: 'side', resources }] }],
    ['the pod', { resources }],
  ])('a resize of %s counts, though the spec object is the same', (_, status) => {
    const spec = {
      containers: [{ name: 'app', resources: { requests: { cpu: 1 } } }],
      initContainers: [{ name: 'side', restartPolicy: 'Always' }],
      ...(status?.resources && { resources: { requests: { cpu: 2 } } }),
    };
    const encoder = newEncoder();
    const before = encoder.encode({ spec }).requests.milliCPU;
    expect(encoder.encode({ spec, status }).requests.milliCPU).toBeGreaterThan(Number(before));
    expect(encoder.encode({ spec }).requests.milliCPU).toBe(before);
  });
});

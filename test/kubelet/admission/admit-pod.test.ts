import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRequiredNodeAffinity } from '../../../src/api/node-selector.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { refusalOf } from '../../../src/kubelet/admission/admit-pod.ts';
import { NodeLoad } from '../../../src/kubelet/admission/node-load.ts';
import { frozenCopy } from '../../../src/store/objects/frozen-copy.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const NODE = makeNode('n', { cpu: 2, memory: '1Gi', pods: 3, allocatable: { 'example.com/gpu': 1 } });

function pod(name: string, options: Parameters<typeof makePod>[1] = {}): Pod {
  return makePod(name, { nodeName: 'n', ...options });
}

function loadOf(pods: readonly Pod[]): NodeLoad {
  const load = new NodeLoad();
  for (const each of pods) load.set(each.metadata?.name ?? '', each);
  return load;
}

describe('refusalOf', () => {
  test.each([
    [{ cpu: '1500m' }, 'OutOfcpu', 'cpu, requested: 1500, used: 1000, capacity: 2000'],
    [{ memory: '900Mi' }, 'OutOfmemory', 'memory, requested: 943718400, used: 268435456, capacity: 1073741824'],
    [{ 'example.com/gpu': 1 }, 'OutOfexample.com/gpu', 'example.com/gpu, requested: 1, used: 1, capacity: 1'],
  ])('%j beside what is there: %s', (requests, reason, text) => {
    const others = [pod('a', { requests: { cpu: 1, memory: '256Mi', 'example.com/gpu': 1 } })];
    expect(refusalOf(NODE, loadOf(others), pod('p', { requests }))).toEqual({
      reason,
      message: `Node didn't have enough resource: ${text}`,
    });
    expect(refusalOf(NODE, loadOf([]), pod('p', { requests }))).toBeUndefined();
  });

  test('extended resources that the node does not know, or that devices of a claim stand for', () => {
    const requests = { 'example.com/card': 1 };
    expect(refusalOf(NODE, loadOf([]), pod('p', { requests }))).toBeUndefined();
    const none = makeNode('n', { allocatable: { 'example.com/card': 0 } });
    expect(refusalOf(none, loadOf([]), pod('p', { requests }))?.reason).toBe('OutOfexample.com/card');
    const mapping = { containerName: 'c', resourceName: 'example.com/card', requestName: 'container-0-request-0' };
    const extendedResourceClaimStatus = { resourceClaimName: 'p-card', requestMappings: [mapping] };
    const claimed = { ...pod('p', { requests }), status: { extendedResourceClaimStatus } };
    expect(refusalOf(none, loadOf([]), claimed)).toBeUndefined();
  });

  test('the number of pods', () => {
    const others = ['a', 'b', 'c'].map((name) => pod(name));
    expect(refusalOf(NODE, loadOf(others.slice(1)), pod('p'))).toBeUndefined();
    expect(refusalOf(NODE, loadOf(others), pod('p'))?.reason).toBe('OutOfpods');
  });

  test('labels, the name, ports and taints, in this order', () => {
    const wanting = { nodeSelector: { disk: 'ssd' }, nodeName: 'm', ports: [{ hostPort: 80, containerPort: 80 }] };
    const others = [pod('a', { ports: [{ hostPort: 80, containerPort: 8080, protocol: 'TCP' }] })];
    const tainted = makeNode('n', { taints: [{ key: 'gone', effect: 'NoExecute' }] });
    const load = loadOf(others);
    const reason = (options: Parameters<typeof makePod>[1]) => refusalOf(tainted, load, pod('p', options))?.reason;
    expect(reason(wanting)).toBe('NodeAffinity');
    expect(reason({ ...wanting, nodeSelector: {} })).toBe('NodeName');
    expect(reason({ ports: wanting.ports })).toBe('NodePorts');
    expect(reason({ ports: [{ hostPort: 80, containerPort: 80, protocol: 'UDP' }] })).toBe('TaintToleration');
    expect(reason({ tolerations: [{ key: 'gone', operator: 'Exists' }] })).toBeUndefined();
  });

  test('a taint that only keeps the scheduler away is no reason', () => {
    const cordoned = makeNode('n', { taints: [{ key: 'x', effect: 'NoSchedule' }], unschedulable: true });
    expect(refusalOf(cordoned, loadOf([]), pod('p'))).toBeUndefined();
  });
});

test('a pod is judged by its own selector and affinity, whichever was compiled before', () => {
  const selectors = [undefined, { zone: 'a' }, { zone: 'b' }].map((each) => frozenCopy(each));
  const affinities = [undefined, 'a', 'b'].map((zone) => {
    if (zone === undefined) return undefined;
    const term = { matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] };
    const required = { nodeSelectorTerms: [term] };
    return frozenCopy({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } });
  });
  const nodes = ['a', 'b'].map((zone) => makeNode('n', { labels: { zone } }));
  const drawn = fc.record({
    nodeSelector: fc.constantFrom(...selectors),
    affinity: fc.constantFrom(...affinities),
    node: fc.constantFrom(...nodes),
    isShared: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(drawn, { minLength: 1, maxLength: 12 }), (pods) => {
      for (const { nodeSelector, affinity, node, isShared } of pods) {
        const spec = { nodeName: 'n', containers: [], nodeSelector, affinity };
        const given = isShared ? spec : structuredClone(spec);
        const fits = compileRequiredNodeAffinity(structuredClone(spec)).match(node);
        expect(refusalOf(node, loadOf([]), { metadata: { name: 'p' }, spec: given })?.reason).toBe(
          fits ? undefined : 'NodeAffinity',
        );
      }
    }),
  );
});

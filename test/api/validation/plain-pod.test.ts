import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { isPlainBesideSpec, isPlainPod } from '../../../src/api/validation/plain-pod.ts';
import { validatePod, validatePodOfKnownSpec } from '../../../src/api/validation/pod.ts';
import { podStructure, podStructureOfKnownSpec } from '../../../src/api/validation/structure.ts';
import { ObjectChecks } from '../../../src/caller/object-checks.ts';
import { jsonFormOf } from '../../../src/lib/json-form.ts';
import { ANY_AMOUNTS, arbitraryPodSpec, arbitraryPodStatus, podOf } from '../../builders/arbitrary-cluster.ts';
import { runs } from '../../builders/runs.ts';
import { arbitraryBadValue, spoiled } from '../../core/spoil.ts';

const numRuns = runs(600);

const SELECTOR = {
  matchLabels: { app: 'web' },
  matchExpressions: [
    { key: 'tier', operator: 'In', values: ['a', ''] },
    { key: 'example.com/x', operator: 'DoesNotExist', values: [] },
  ],
};

const TERM = {
  topologyKey: 'topology.kubernetes.io/zone',
  labelSelector: SELECTOR,
  namespaces: ['default'],
  namespaceSelector: {},
  matchLabelKeys: ['pod-template-hash'],
  mismatchLabelKeys: ['ver'],
};

const NODE_TERM = {
  matchExpressions: [
    { key: 'disk', operator: 'In', values: ['ssd'] },
    { key: 'rank', operator: 'Gt', values: ['1'] },
  ],
  matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n 1'] }],
};

const NODE_AFFINITY = {
  requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [NODE_TERM, {}] },
  preferredDuringSchedulingIgnoredDuringExecution: [
    { weight: 100, preference: { matchExpressions: [{ key: 'rank', operator: 'Lt', values: ['no number'] }] } },
  ],
};

const POD_AFFINITY = {
  requiredDuringSchedulingIgnoredDuringExecution: [TERM],
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: TERM }],
};

const CONTAINER = {
  name: 'main',
  image: 'web:1',
  ports: [{ containerPort: 80, hostPort: 0, hostIP: '::', protocol: 'TCP' }],
  resources: {
    requests: { cpu: '250m', memory: '64Mi', 'ephemeral-storage': '1G', 'example.com/gpu': '1' },
    limits: { cpu: '1', memory: '134217728', 'example.com/gpu': '1' },
  },
  restartPolicyRules: [{ action: 'Restart' }],
};

const SPEC = {
  schedulerName: 'default-scheduler',
  hostNetwork: false,
  hostUsers: false,
  nodeName: '',
  hostname: 'h-1',
  restartPolicy: 'Always',
  preemptionPolicy: 'PreemptLowerPriority',
  priority: -5,
  terminationGracePeriodSeconds: 30,
  containers: [CONTAINER, { name: 'side' }],
  initContainers: [{ name: 'init', restartPolicy: 'Always' }],
  overhead: { cpu: '10m' },
  resources: { requests: { cpu: '1' } },
  nodeSelector: { disk: 'ssd', 'example.com/a': '' },
  affinity: { nodeAffinity: NODE_AFFINITY, podAffinity: POD_AFFINITY, podAntiAffinity: POD_AFFINITY },
  tolerations: [
    { operator: 'Exists' },
    { key: 'a', value: 'b c', effect: 'NoExecute', tolerationSeconds: 5 },
    { key: 'a', operator: 'Exists', value: '' },
  ],
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', minDomains: 2, labelSelector: SELECTOR },
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', nodeTaintsPolicy: 'Honor' },
  ],
  schedulingGates: [{ name: 'example.com/gate' }],
  volumes: [
    { name: 'a', persistentVolumeClaim: { claimName: 'c-1' } },
    { name: 'b', emptyDir: {} },
  ],
  resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }],
  schedulingGroup: { podGroupName: 'g' },
};

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p-1', namespace: 'default', uid: 'u', labels: { app: 'web' } },
  spec: SPEC,
  status: {
    phase: 'Running',
    startTime: '2026-01-01T00:00:00Z',
    nominatedNodeName: 'n-1',
    conditions: [{ type: 'Ready', status: 'True', reason: 'Started', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    containerStatuses: [
      {
        ...{ name: 'main', ready: true, restartCount: 0, image: 'web:1', imageID: '' },
        ...{ allocatedResources: { cpu: '1' }, resources: { requests: { cpu: '1' }, limits: { memory: '1Gi' } } },
      },
    ],
    initContainerStatuses: [{ name: 'init' }],
  },
};

/** Pods with the spec but for one part, so that the checks meet other faults than the first. */
const PARTS = Object.keys(SPEC);

const arbitraryPods = fc.record({
  spec: arbitraryPodSpec(ANY_AMOUNTS),
  status: arbitraryPodStatus,
  name: fc.constantFrom<unknown>('p1', 'p-2', 'p-2.example.com', 'Bad_Name', '', 7, null),
  part: fc.constantFrom(...PARTS),
  place: fc.nat(400),
  bad: arbitraryBadValue,
  second: fc.nat(400),
});

describe('a pod that is valid at a glance', () => {
  it('passes all checks, and holds no null', () => {
    let plain = 0;
    fc.assert(
      fc.property(arbitraryPods, ({ spec, status, name, part, place, bad, second }) => {
        const drawn = podOf('p', spec, { status });
        const named = { ...drawn, metadata: { ...drawn.metadata, name } };
        const part1 = { ...POD, spec: { ...SPEC, [part]: (spec as Record<string, unknown>)[part] } };
        const given = [named, part1, spoiled(named, place, bad), spoiled(POD, place, bad)];
        given.push(spoiled(part1, place, bad), spoiled(spoiled(POD, place, undefined), second, bad));
        for (const pod of given) {
          if (!isPlainPod(pod)) continue;
          plain++;
          expect([...validatePod(pod), ...podStructure(pod), jsonFormOf(pod)]).toEqual(['plain']);
          expect(new ObjectChecks(true).checkPod(pod as Pod)).toBe(pod);
        }
      }),
      { numRuns },
    );
    expect(plain).toBeGreaterThan(numRuns / 3);
  });

  it('passes all checks but those of its spec, whatever that is', () => {
    let plain = 0;
    fc.assert(
      fc.property(arbitraryPods, ({ status, name, place, bad }) => {
        const metadata = { ...POD.metadata, name };
        for (const given of [{ ...POD, metadata, status }, spoiled({ ...POD, spec: null }, place, bad)]) {
          const pod = given as unknown as Record<string, unknown>;
          if (typeof pod !== 'object' || pod === null || !isPlainBesideSpec(pod)) continue;
          plain++;
          expect([...validatePodOfKnownSpec(pod), ...podStructureOfKnownSpec(pod)]).toEqual([]);
        }
      }),
      { numRuns },
    );
    expect(plain).toBeGreaterThan(numRuns / 10);
  });

  it('is one as API servers give it', () => {
    expect(isPlainPod(POD)).toBe(true);
  });

  it.each<[string, object]>([
    ['no container', { containers: [] }],
    ['two containers of one name', { containers: [CONTAINER, CONTAINER] }],
    ['an init container with the name of another', { initContainers: [{ name: 'side' }] }],
    ['two init containers of one name', { initContainers: [{ name: 'i' }, { name: 'i' }] }],
    [
      'more than its limit',
      { containers: [{ ...CONTAINER, resources: { requests: { cpu: 2 }, limits: { cpu: 1 } } }] },
    ],
    ['a part of a device', { containers: [{ name: 'a', resources: { requests: { 'example.com/gpu': '1500m' } } }] }],
    ['a device for the pod as a whole', { resources: { requests: { 'example.com/gpu': '1' } } }],
    ['a toleration of no key', { tolerations: [{ operator: 'Equal' }] }],
    ['a value beside Exists', { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }],
    ['seconds without an effect', { tolerations: [{ key: 'a', tolerationSeconds: 1 }] }],
    ['no term', { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } } }],
    ['two equal constraints', { topologySpreadConstraints: Array(2).fill(SPEC.topologySpreadConstraints[0]) }],
    [
      'fewest domains where none is demanded',
      { topologySpreadConstraints: [{ ...SPEC.topologySpreadConstraints[1], minDomains: 2 }] },
    ],
    [
      'keys that refine no selector',
      {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'z', matchLabelKeys: ['a'] }],
          },
        },
      },
    ],
    [
      'a key that must match and must not',
      {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ ...TERM, mismatchLabelKeys: TERM.matchLabelKeys }],
          },
        },
      },
    ],
    ['no address', { containers: [{ name: 'a', ports: [{ containerPort: 1, hostIP: '1.2.3' }] }] }],
    ['two volumes of one name', { volumes: [{ name: 'a' }, { name: 'a' }] }],
    ['a claim without a name', { volumes: [{ name: 'a', persistentVolumeClaim: {} }] }],
    ['a null', { securityContext: { runAsUser: null } }],
  ])('is none with %s', (_, part) => {
    expect(isPlainPod({ ...POD, spec: { ...SPEC, ...part } })).toBe(false);
  });
});

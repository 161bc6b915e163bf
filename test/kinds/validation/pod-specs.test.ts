import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { kindProblems } from './kind-problems.ts';

const CONTAINER = { name: 'a', image: 'x' };

/** The problems of a pod with this spec. */
const ofPod = (spec: JsonObject): string[] => kindProblems('v1', 'Pod', { spec: { containers: [CONTAINER], ...spec } });

/** The problems of a pod whose only container has these members. */
const ofContainer = (container: JsonObject, spec: JsonObject = {}): string[] =>
  ofPod({ ...spec, containers: [{ ...CONTAINER, ...container }] });

/** The problems of a deployment whose pods have this spec. */
const ofTemplate = (spec: JsonObject): string[] => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [CONTAINER], ...spec } };
  return kindProblems('apps/v1', 'Deployment', { spec: { selector: { matchLabels: { a: 'b' } }, template } });
};

describe('podSpecErrors', () => {
  it('wants ports of the host network to be those of the container, or none in a template', () => {
    const why = 'Invalid value: 81: must match `containerPort` when `hostNetwork` is true';
    const spec = { hostNetwork: true, containers: [{ ...CONTAINER, ports: [{ containerPort: 80, hostPort: 81 }] }] };
    expect(ofPod(spec)).toEqual([`spec.containers[0].ports[0].hostPort: ${why}`]);
    expect(ofTemplate(spec)).toEqual([`spec.template.spec.containers[0].ports[0].hostPort: ${why}`]);
    expect(ofTemplate({ ...spec, containers: [{ ...CONTAINER, ports: [{ containerPort: 80 }] }] })).toEqual([]);
  });

  it('allows blanks around an image, and a negative time to end, in templates alone', () => {
    const image = { containers: [{ ...CONTAINER, image: ' x' }] };
    expect(ofPod(image)).toEqual([
      'spec.containers[0].image: Invalid value: " x": must not have leading or trailing whitespace',
    ]);
    expect(ofTemplate({ ...image, terminationGracePeriodSeconds: -1 })).toEqual([]);
  });

  it('lists problems in the order of upstream', () => {
    const spec = {
      dnsPolicy: 'None',
      nodeSelector: { 'a b': '' },
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    };
    expect(ofPod(spec).map((problem) => problem.split(':')[0])).toEqual([
      'spec.nodeSelector',
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms',
      'spec.dnsConfig',
    ]);
  });

  it('checks how names are resolved', () => {
    expect(ofPod({ dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] } })).toEqual([
      'spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","1.1.1.4"]: ' +
        'must not have more than 3 nameservers',
    ]);
    expect(ofPod({ dnsConfig: { searches: ['.', '_a.b.', 'a_b'] } })).toEqual([]);
    const [wrong] = ofPod({ dnsConfig: { searches: ['a', 'B'] } });
    expect(wrong).toMatch(/^spec\.dnsConfig\.searches\[1\]: Invalid value: "B": a lowercase RFC 1123 subdomain/);
    const [many] = ofPod({ dnsConfig: { searches: new Array(33).fill('a') } });
    expect(many).toMatch(/must not have more than 32 search paths$/);
    const [long] = ofPod({ dnsConfig: { searches: new Array(20).fill('a'.repeat(110)) } });
    expect(long).toMatch(/must not have more than 2048 characters \(including spaces\) in the search list$/);
  });

  it('numbers the names of host aliases', () => {
    const [problem] = ofPod({ hostAliases: [{ ip: '1.1.1.1', hostnames: ['a', 'B'] }] });
    expect(problem).toMatch(/^spec\.hostAliases\[0\]\.hostnames\[1\]: Invalid value: "B": /);
  });

  it('checks tolerations whose values are no labels', () => {
    const [problem] = ofPod({ tolerations: [{ key: 'a', value: 'c d' }] });
    expect(problem).toMatch(/^spec\.tolerations\[0\]\.operator: Invalid value: "c d": a valid label must be/);
  });

  it('checks the values of node selectors that must match', () => {
    const term = { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c d'] }] };
    const affinity = (nodeAffinity: JsonObject) => ofPod({ affinity: { nodeAffinity } });
    const [problem] = affinity({ requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } });
    expect(problem).toContain('nodeSelectorTerms[0].matchExpressions[0].values[1]: Invalid value: "c d"');
    const preferred = [{ weight: 1, preference: term }];
    expect(affinity({ preferredDuringSchedulingIgnoredDuringExecution: preferred })).toEqual([]);
  });

  it('checks spread constraints against the later ones, and the labels that they compare', () => {
    const one = { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} };
    const at = 'spec.topologySpreadConstraints[0]';
    expect(ofPod({ topologySpreadConstraints: [one, { ...one, maxSkew: 2 }] })).toEqual([
      `${at}.{topologyKey, whenUnsatisfiable}: Duplicate value: "{a, DoNotSchedule}"`,
    ]);
    expect(ofPod({ topologySpreadConstraints: [{ ...one, whenUnsatisfiable: '' }] })).toEqual([
      `${at}.whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"`,
    ]);
    const { labelSelector: _, ...bare } = one;
    expect(ofPod({ topologySpreadConstraints: [{ ...bare, matchLabelKeys: ['x'] }] })).toEqual([
      `${at}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`,
    ]);
    const rule = { key: 'x', operator: 'In', values: ['1'] };
    const labelSelector = { matchLabels: { x: '1' }, matchExpressions: [rule] };
    expect(ofPod({ topologySpreadConstraints: [{ ...one, labelSelector, matchLabelKeys: ['x'] }] })).toEqual([
      `${at}[0]: Invalid value: "x": exists in both matchLabelKeys and labelSelector`,
    ]);
  });

  it('checks the labels that terms compare', () => {
    const problems = (term: JsonObject) =>
      ofPod({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } });
    const at = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';
    expect(problems({ topologyKey: 'a', mismatchLabelKeys: ['x'] })).toEqual([
      `${at}.mismatchLabelKeys: Forbidden: must not be specified when labelSelector is not set`,
    ]);
    const both = { topologyKey: 'a', labelSelector: {}, matchLabelKeys: ['x'], mismatchLabelKeys: ['x'] };
    expect(problems(both)).toEqual([
      `${at}.matchLabelKeys[0]: Invalid value: "x": exists in both matchLabelKeys and mismatchLabelKeys`,
    ]);
    const rule = { key: 'x', operator: 'In', values: ['1'] };
    const twice = { matchLabels: { x: '1' }, matchExpressions: [rule] };
    expect(problems({ topologyKey: 'a', labelSelector: twice, matchLabelKeys: ['x'] })).toEqual([
      `${at}[0]: Invalid value: "x": exists in both matchLabelKeys and labelSelector`,
    ]);
  });

  it('checks what a pod asks for as a whole', () => {
    const own = { resources: { requests: { cpu: '2' }, limits: { cpu: '4' } } };
    expect(ofContainer(own, { resources: { requests: { cpu: '1' }, limits: { cpu: '3' } } })).toEqual([
      'spec.resources.requests[cpu]: Invalid value: "1": ' +
        'must be greater than or equal to aggregate container requests of 2',
      'spec.resources.containers[0][cpu].limits: Invalid value: "4": must be less than or equal to pod limits of 3',
    ]);
    expect(ofPod({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } })).toEqual([
      'spec.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ]);
    expect(ofPod({ resources: { requests: { 'ephemeral-storage': '1' }, claims: [{ name: 'x' }] } })).toEqual([
      'spec.resources.claims: Forbidden: claims cannot be set for Resources at pod-level',
      'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": ' +
        'supported values: "cpu", "hugepages-", "memory"',
      'spec.resources.claims[0]: Not found: "x": must be one of the names in pod.spec.resourceClaims which is empty',
    ]);
  });

  it('refuses what pods of an operating system do not have', () => {
    const windows = { os: { name: 'windows' }, hostPID: true, securityContext: { fsGroup: 1, runAsUser: 2 } };
    expect(ofContainer({ securityContext: { privileged: true } }, windows)).toEqual([
      'spec.hostPID: Forbidden: cannot be set for a windows pod',
      'spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod',
      'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
      'spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
    ]);
    const linux = { os: { name: 'linux' }, securityContext: { windowsOptions: { runAsUserName: 'a' } } };
    expect(ofPod(linux)).toEqual([
      'spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
    ]);
  });

  it('keeps users of its own and other namespaces of the host apart', () => {
    expect(ofPod({ hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true })).toEqual([
      'spec.hostNetwork: Forbidden: when `pod.Spec.HostUsers` is false',
      'spec.HostPID: Forbidden: when `pod.Spec.HostUsers` is false',
      'spec.HostIPC: Forbidden: when `pod.Spec.HostUsers` is false',
    ]);
  });
});

describe('podSecurityErrors', () => {
  it.each<[JsonObject, string]>([
    [
      { hostPID: true, shareProcessNamespace: true },
      'shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
    ],
    [
      { securityContext: { supplementalGroups: [1, -1] } },
      'supplementalGroups[1]: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ],
    [
      { securityContext: { fsGroupChangePolicy: 'x' } },
      'fsGroupChangePolicy: Unsupported value: "x": supported values: "Always", "OnRootMismatch"',
    ],
    [{ securityContext: { sysctls: [{ name: '', value: '1' }] } }, 'sysctls[0].name: Required value'],
    [
      { hostNetwork: true, securityContext: { sysctls: [{ name: 'net/ipv4.x', value: '1' }] } },
      'sysctls[0].name: Invalid value: "net/ipv4.x": may not be specified when \'hostNetwork\' is true',
    ],
    [
      { securityContext: { sysctls: ['1', '2'].map((value) => ({ name: 'kernel.sem', value })) } },
      'sysctls[1].name: Duplicate value: "kernel.sem"',
    ],
    [
      { securityContext: { seccompProfile: { type: 'Localhost' } } },
      'seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
    ],
    [
      { securityContext: { seccompProfile: { type: 'Unconfined', localhostProfile: 'x' } } },
      'seccompProfile.localhostProfile: Invalid value: {"Type":"Unconfined","LocalhostProfile":"x"}: ' +
        'can only be set when seccomp type is Localhost',
    ],
    [
      { securityContext: { seccompProfile: { type: 'x' } } },
      'seccompProfile.type: Unsupported value: "x": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
    ],
    [
      { securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: ' x' } } },
      'appArmorProfile.localhostProfile: Invalid value: " x": must not be padded with whitespace',
    ],
    [
      { securityContext: { supplementalGroupsPolicy: 'x' } },
      'supplementalGroupsPolicy: Unsupported value: "x": supported values: "Merge", "Strict"',
    ],
    [
      { securityContext: { windowsOptions: { runAsUserName: 'a\\b\\c' } } },
      'windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": ' +
        'runAsUserName cannot contain more than one backslash',
    ],
  ])('refuses %j', (spec, problem) => {
    expect(ofPod(spec)).toEqual([`spec.securityContext.${problem}`]);
  });
});

describe('containerErrors', () => {
  const volumes = [
    { name: 'v', emptyDir: {} },
    { name: 'c', persistentVolumeClaim: { claimName: 'x' } },
  ];

  it.each<[JsonObject, string]>([
    [
      { volumeMounts: [{ name: 'v', mountPath: '/a', subPath: '/x/..' }] },
      'volumeMounts.subPath: Invalid value: "/x/..": must be a relative path',
    ],
    [
      { volumeMounts: [{ name: 'v', mountPath: '/a', mountPropagation: 'Bidirectional' }] },
      'volumeMounts.mountPropagation: Forbidden: ' +
        'Bidirectional mount propagation is available only to privileged containers',
    ],
    [
      { volumeMounts: [{ name: 'v', mountPath: '/a', recursiveReadOnly: 'Enabled' }] },
      'volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
    ],
    [
      { volumeDevices: [{ name: 'c', devicePath: '/a/..' }] },
      'volumeDevices[0].devicePath: Invalid value: "/a/..": can not contain backsteps (\'..\')',
    ],
    [
      { volumeMounts: [{ name: 'c', mountPath: '/a' }], volumeDevices: [{ name: 'c', devicePath: '/b' }] },
      'volumeMounts[0].name: Invalid value: "c": must not already exist in volumeDevices',
    ],
    [
      { readinessProbe: { exec: { command: ['x'] }, terminationGracePeriodSeconds: 3 } },
      'readinessProbe.terminationGracePeriodSeconds: Invalid value: 3: must not be set for readinessProbes',
    ],
    [
      { lifecycle: { preStop: { sleep: { seconds: 31 } } } },
      'lifecycle.preStop.sleep: Invalid value: 31: ' +
        'must be non-negative and less than terminationGracePeriodSeconds (30)',
    ],
    [
      { securityContext: { procMount: 'Unmasked' } },
      'securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
    ],
    [
      { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'a', key: '..' } } }] },
      'env[0].valueFrom.configMapKeyRef.key: Invalid value: "..": must not be \'..\'',
    ],
    [
      { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } }] },
      'env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", ' +
        '"metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", ' +
        '"status.hostIPs", "status.podIP", "status.podIPs"',
    ],
    [
      { env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } }] },
      'env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": ' +
        "only divisor's values 1m and 1 are supported with the cpu resource",
    ],
    [{ envFrom: [{}] }, 'envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`'],
    [
      { resources: { limits: { cpu: '1', 'hugepages-2Mi': '3Mi' } } },
      'resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
    ],
    [
      { resources: { limits: { 'requests.cpu': '1' } } },
      'resources.limits[requests.cpu]: Invalid value: "requests.cpu": must be a standard resource for containers',
    ],
    [
      { resources: { limits: { 'requests.a/b': '1' } } },
      'resources.limits[requests.a/b]: Invalid value: "requests.a/b": doesn\'t follow extended resource name standard',
    ],
  ])('refuses %j', (container, problem) => {
    expect(ofContainer(container, { volumes })[0]).toBe(`spec.containers[0].${problem}`);
  });

  it('reports ports of the host that collide behind the problems of all containers', () => {
    const ports = [{ containerPort: 80, hostPort: 80 }];
    const containers = [
      { ...CONTAINER, ports },
      { name: 'b', ports },
    ];
    expect(ofPod({ containers })).toEqual([
      'spec.containers[1].image: Required value',
      'spec.containers[1].ports[0].hostPort: Duplicate value: "TCP//80"',
    ]);
    const initContainers = [{ name: 'c', image: 'x', ports: [...ports, { containerPort: 81, hostPort: 80 }] }];
    expect(ofPod({ initContainers })).toEqual(['spec.initContainers[0].ports[1].hostPort: Duplicate value: "TCP//80"']);
  });
});

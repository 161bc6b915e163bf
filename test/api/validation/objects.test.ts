import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KINDS, type Kind } from '../../../src/api/kinds.ts';
import { validateObject } from '../../../src/api/validation/objects.ts';

const CLAIM = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const VOLUME = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } };
const SELECTOR = { matchLabels: { app: 'web' } };
const ATTACHMENT = { attacher: 'csi.x', nodeName: 'n1', source: { persistentVolumeName: 'pv' } };

/** One object of each kind that uses everything which is looked at. */
const SAMPLES: { readonly [K in Kind]: object } = {
  Node: { status: { allocatable: { cpu: '1' } } },
  Pod: { spec: { containers: [{ name: 'c' }] } },
  Namespace: { metadata: { name: 'prod', labels: { team: 'a' } } },
  Service: { spec: { selector: { app: 'web' } } },
  ReplicationController: { spec: { replicas: 0, selector: { app: 'web' }, template: null } },
  ReplicaSet: { spec: { replicas: 1, selector: SELECTOR } },
  StatefulSet: { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } } },
  PersistentVolumeClaim: {
    spec: { ...CLAIM, storageClassName: '', volumeMode: 'Block', selector: SELECTOR, volumeName: 'pv-1' },
    status: { phase: 'Bound' },
  },
  PersistentVolume: {
    spec: {
      ...VOLUME,
      csi: { driver: 'csi.x', volumeHandle: 'h' },
      claimRef: { namespace: 'default', name: 'c', uid: 'u' },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'z', operator: 'In', values: ['a'] }] }] },
      },
      storageClassName: 'fast',
    },
    status: { phase: 'Available' },
  },
  StorageClass: {
    provisioner: 'csi.x',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'z', values: ['a', 'b'] }] }],
  },
  CSINode: { spec: { drivers: [{ name: 'csi.x', nodeID: 'n', allocatable: { count: 3 } }] } },
  CSIDriver: { spec: { storageCapacity: true } },
  CSIStorageCapacity: { storageClassName: 'fast', nodeTopology: SELECTOR, capacity: '1Gi', maximumVolumeSize: '1Mi' },
  VolumeAttachment: { spec: ATTACHMENT },
  PodDisruptionBudget: {
    spec: { selector: {}, minAvailable: '50%' },
    status: { disruptionsAllowed: 1, disruptedPods: { 'web-1': '2026-01-31T12:00:00Z' } },
  },
  ResourceClaim: {
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', count: 2 } }] } },
    status: { reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] },
  },
  ResourceSlice: {
    spec: {
      ...{ driver: 'gpu.example.com', nodeName: 'n', pool: { name: 'n', generation: 1, resourceSliceCount: 1 } },
      devices: [{ name: 'd', attributes: { model: { string: 'a' } }, capacity: { memory: { value: '1Gi' } } }],
    },
  },
  DeviceClass: { spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] } },
  PodGroup: {
    spec: {
      podGroupTemplateRef: { workload: { workloadName: 'w', podGroupTemplateName: 't' } },
      ...{ schedulingPolicy: { gang: { minCount: 4 } }, schedulingConstraints: { topology: [{ key: 'rack' }] } },
      ...{ disruptionMode: 'PodGroup', priority: 5, resourceClaims: [{ name: 'c', resourceClaimName: 'shared' }] },
    },
    status: { conditions: [{ type: 'PodGroupScheduled', status: 'True' }] },
  },
  Workload: { spec: { podGroupTemplates: [{ name: 't', schedulingPolicy: { basic: {} } }] } },
  PriorityClass: { value: -7, globalDefault: true, preemptionPolicy: 'Never' },
};

const KIND_NAMES = Object.keys(KINDS) as Kind[];

function problems(kind: Kind, fields: object): string[] {
  return validateObject(kind, { metadata: { name: 'x' }, ...fields }).map(({ field, reason }) => `${field}: ${reason}`);
}

describe('validateObject', () => {
  it.each(KIND_NAMES)('%s: accepts one that uses everything', (kind) => {
    const { apiVersion } = KINDS[kind];
    expect(problems(kind, { apiVersion, kind, ...SAMPLES[kind] })).toEqual([]);
  });

  it.each(KIND_NAMES)('%s: refuses another version, no name, and what is no object', (kind) => {
    expect(problems(kind, { apiVersion: 'x/v9', ...SAMPLES[kind] })[0]).toMatch(/^apiVersion: unknown apiVersion/);
    expect(problems(kind, { ...SAMPLES[kind], metadata: {} })).toEqual(['metadata.name: is required']);
    expect(validateObject(kind, 5)[0]).toMatchObject({ field: '', reason: 'must be an object, not the number 5' });
    expect(validateObject(kind, null, 'a')).toEqual([{ field: 'a', reason: 'is required' }]);
  });

  it.each<[Kind, string, object, RegExp]>([
    ['Namespace', 'a name with a dot', { metadata: { name: 'a.b' } }, /^metadata\.name: bad name "a\.b"/],
    ['Service', 'a selector of numbers', { spec: { selector: { a: 1 } } }, /^spec\.selector\.a: must be a string/],
    ['ReplicationController', 'no selector and no template', { spec: {} }, /^spec\.selector: is required$/],
    ['ReplicaSet', 'no selector', { spec: {} }, /^spec\.selector: is required$/],
    ['ReplicaSet', 'a negative number', { spec: { replicas: -1, selector: SELECTOR } }, /replicas: must be between 0/],
    [
      'StatefulSet',
      'a selector without matchLabels',
      { spec: { selector: { app: 'web' } } },
      /^spec\.selector: must hold matchLabels or matchExpressions$/,
    ],
    [
      'ReplicaSet',
      'an unknown operator',
      { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Is', values: ['b'] }] } } },
      /operator: unknown selector operator "Is"/,
    ],
    [
      'PersistentVolumeClaim',
      'a malformed quantity',
      { spec: { ...CLAIM, resources: { requests: { storage: '1Gx' } } } },
      /^spec\.resources\.requests\.storage: malformed quantity "1Gx"/,
    ],
    [
      'PersistentVolumeClaim',
      'no space',
      { spec: { ...CLAIM, resources: { requests: { storage: '0' } } } },
      /^spec\.resources\.requests\.storage: must be more than 0$/,
    ],
    [
      'PersistentVolumeClaim',
      'no request',
      { spec: { accessModes: ['ReadWriteOnce'] } },
      /^spec\.resources: is required/,
    ],
    [
      'PersistentVolumeClaim',
      'no access',
      { spec: { ...CLAIM, accessModes: [] } },
      /accessModes: must hold at least one/,
    ],
    [
      'PersistentVolumeClaim',
      'an unknown access mode',
      { spec: { ...CLAIM, accessModes: ['RWO'] } },
      /accessModes\[0\]: unknown access mode "RWO"/,
    ],
    [
      'PersistentVolumeClaim',
      'one pod only, and others',
      { spec: { ...CLAIM, accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] } },
      /accessModes: ReadWriteOncePod cannot be combined/,
    ],
    ['PersistentVolumeClaim', 'an unknown phase', { spec: CLAIM, status: { phase: 'Free' } }, /phase: unknown phase/],
    ['PersistentVolume', 'no capacity', { spec: { accessModes: ['ReadWriteMany'] } }, /^spec\.capacity: is required$/],
    [
      'PersistentVolume',
      'a driver without volume',
      { spec: { ...VOLUME, csi: { driver: 'd' } } },
      /csi\.volumeHandle: is required/,
    ],
    [
      'PersistentVolume',
      'no terms',
      { spec: { ...VOLUME, nodeAffinity: { required: {} } } },
      /nodeSelectorTerms: is required$/,
    ],
    ['StorageClass', 'no provisioner', {}, /^provisioner: is required$/],
    [
      'StorageClass',
      'an unknown mode',
      { provisioner: 'p', volumeBindingMode: 'Later' },
      /unknown binding mode "Later"/,
    ],
    [
      'StorageClass',
      'one key twice',
      {
        provisioner: 'p',
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: 'z', values: ['a'] },
              { key: 'z', values: ['b'] },
            ],
          },
        ],
      },
      /matchLabelExpressions\[1\]: duplicate topology key "z"$/,
    ],
    [
      'CSINode',
      'one driver twice',
      { spec: { drivers: [{ name: 'a' }, { name: 'a' }] } },
      /^spec\.drivers\[1\]: duplicate driver "a"$/,
    ],
    [
      'CSINode',
      'a negative count',
      { spec: { drivers: [{ name: 'a', allocatable: { count: -1 } }] } },
      /count: must be between 0/,
    ],
    ['CSIDriver', 'a boolean as text', { spec: { storageCapacity: 'true' } }, /storageCapacity: must be true or false/],
    ['CSIStorageCapacity', 'no class', { capacity: '1Gi' }, /^storageClassName: is required$/],
    [
      'CSIStorageCapacity',
      'a quantity',
      { storageClassName: 'a', capacity: '-1' },
      /capacity: negative quantity "-1"$/,
    ],
    [
      'VolumeAttachment',
      'no volume',
      { spec: { ...ATTACHMENT, source: {} } },
      /^spec\.source\.persistentVolumeName: is required$/,
    ],
    ['VolumeAttachment', 'no node', { spec: { ...ATTACHMENT, nodeName: '' } }, /^spec\.nodeName: is required$/],
    [
      'PodDisruptionBudget',
      'two limits',
      { spec: { minAvailable: 1, maxUnavailable: 1 } },
      /^spec\.maxUnavailable: cannot be set together with minAvailable$/,
    ],
    ['PodDisruptionBudget', 'a bad share', { spec: { minAvailable: '101%' } }, /minAvailable: bad percentage "101%"/],
    ['PodDisruptionBudget', 'a list', { spec: { minAvailable: [] } }, /minAvailable: must be a number or a percentage/],
    [
      'PodDisruptionBudget',
      'a fraction',
      { status: { disruptionsAllowed: 0.5 } },
      /^status\.disruptionsAllowed: must be an integer/,
    ],
    ['PriorityClass', 'no value', {}, /^value: is required$/],
    ['PriorityClass', 'beyond 32 bits', { value: 2 ** 31 }, /^value: must be between/],
    [
      'PriorityClass',
      'the system values',
      { value: 1_000_000_001 },
      /^value: must be at most 1000000000, not 1000000001$/,
    ],
    [
      'PriorityClass',
      'the system names',
      { metadata: { name: 'system-mine' }, value: 1 },
      /^metadata\.name: "system-mine": the prefix system- is kept for the system$/,
    ],
    [
      'PriorityClass',
      'another value for a system class',
      { metadata: { name: 'system-node-critical' }, value: 1 },
      /^value: must be 2000001000 for system-node-critical, not 1$/,
    ],
    ['PriorityClass', 'an unknown policy', { value: 1, preemptionPolicy: 'Maybe' }, /unknown preemptionPolicy "Maybe"/],
  ])('%s: refuses %s', (kind, _what, fields, expected) => {
    const found = problems(kind, fields);
    expect(found[0]).toMatch(expected);
    expect(found).toHaveLength(1);
  });

  it('accepts the edges: system classes as they are, 1,000,000,000, a controller with a template', () => {
    expect(problems('PriorityClass', { metadata: { name: 'system-cluster-critical' }, value: 2_000_000_000 })).toEqual(
      [],
    );
    expect(problems('PriorityClass', { value: 1_000_000_000 })).toEqual([]);
    const template = { metadata: { labels: { app: 'web' } } };
    expect(problems('ReplicationController', { spec: { template } })).toEqual([]);
    expect(problems('CSINode', { spec: { drivers: null } })).toEqual([]);
    expect(problems('VolumeAttachment', { spec: { ...ATTACHMENT, source: { inlineVolumeSpec: {} } } })).toEqual([]);
  });

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KIND_NAMES), fc.jsonValue(), fc.jsonValue(), (kind, spec, metadata) => {
        validateObject(kind, { metadata, spec, status: spec });
        validateObject(kind, spec);
      }),
    );
  });
});

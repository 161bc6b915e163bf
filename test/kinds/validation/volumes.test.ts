import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { kindProblems } from './kind-problems.ts';

/** The problems of a pod with this volume. */
const ofVolume = (source: JsonObject): string[] =>
  kindProblems('v1', 'Pod', {
    spec: { serviceAccountName: 'a', containers: [{ name: 'a', image: 'x' }], volumes: [{ name: 'v', ...source }] },
  });

describe('checkedVolumes', () => {
  it.each<[JsonObject, string]>([
    [
      { emptyDir: { sizeLimit: '-1' } },
      'emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity',
    ],
    [
      { hostPath: { path: '/a', type: 'x' } },
      'hostPath.type: Unsupported value: "x": supported values: "", "BlockDevice", "CharDevice", "Directory", ' +
        '"DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
    ],
    [{ nfs: { server: 'a', path: 'b' } }, 'nfs.path: Invalid value: "b": must be an absolute path'],
    [
      { gcePersistentDisk: { pdName: 'a', partition: 256 } },
      'persistentDisk.partition: Invalid value: 256: must be between 0 and 255, inclusive',
    ],
    [
      { iscsi: { targetPortal: 'a', iqn: 'x', lun: 0 } },
      'iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
    ],
    [{ fc: {} }, 'fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both'],
    [{ flocker: {} }, 'flocker: Required value: one of datasetName and datasetUUID is required'],
    [
      { flexVolume: { driver: 'a', options: { 'x.k8s.io/a': 'b' } } },
      'flexVolume.options[x.k8s.io/a]: Invalid value: "x.k8s.io/a": kubernetes.io and k8s.io namespaces are reserved',
    ],
    [
      { secret: { secretName: 'a', items: [{ key: 'b', path: '..c' }] } },
      'secret.items[0].path: Invalid value: "..c": must not start with \'..\'',
    ],
    [
      { downwardAPI: { items: [{ path: 'a' }] } },
      'downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
    ],
    [
      { downwardAPI: { items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }] } },
      'downwardAPI.resourceFieldRef.containerName: Required value',
    ],
    [
      { projected: { sources: [{ serviceAccountToken: { path: '/a', expirationSeconds: 5_000_000_000 } }] } },
      'projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5000000000: ' +
        'may not specify a duration larger than 2^32 seconds',
    ],
    [
      {
        projected: {
          sources: [
            { secret: { name: 'a', items: [{ key: 'k', path: 'p' }] } },
            { configMap: { name: 'b', items: [{ key: 'k', path: 'p' }] } },
          ],
        },
      },
      'projected: Invalid value: "b": conflicting duplicate paths',
    ],
    [
      { ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } },
      'ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
    ],
    [{ csi: { driver: 'a', nodePublishSecretRef: {} } }, 'csi.nodePublishSecretRef.name: Required value'],
    [
      { image: { reference: 'a', pullPolicy: 'x' } },
      'image.pullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"',
    ],
  ])('refuses %j', (source, problem) => {
    expect(ofVolume(source)[0]).toBe(`spec.volumes[0].${problem}`);
  });

  it('takes the first source, in the order of upstream', () => {
    expect(ofVolume({ emptyDir: {}, cephfs: { monitors: ['a'] } })).toEqual([
      'spec.volumes[0].cephFS: Forbidden: may not specify more than 1 volume type',
    ]);
  });
});

describe('volumeObjectErrors', () => {
  const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } };
  const problems = (more: JsonObject, old?: JsonObject): string[] =>
    kindProblems('v1', 'PersistentVolume', { spec: { ...spec, ...more } }, old && { spec: { ...spec, ...old } });

  it.each<[JsonObject, string[]]>([
    [{ local: { path: '/a' } }, ['spec.nodeAffinity: Required value: Local volume requires node affinity']],
    [
      { local: { path: '/a' }, nodeAffinity: {} },
      ['spec.nodeAffinity.required: Required value: must specify required node constraints'],
    ],
    [
      { hostPath: { path: '/a' }, nfs: { server: 'a', path: '/b' } },
      ['spec.nfs: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      { hostPath: { path: '//' }, persistentVolumeReclaimPolicy: 'Recycle' },
      ["spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"],
    ],
    [{ csi: {} }, ['spec.csi.driver: Required value', 'spec.csi.volumeHandle: Required value']],
    [
      { csi: { driver: 'a', volumeHandle: 'b', nodeExpandSecretRef: {} } },
      ['spec.csi.nodeExpandSecretRef.name: Required value', 'spec.csi.nodeExpandSecretRef.namespace: Required value'],
    ],
    [
      { hostPath: { path: '/a' }, volumeAttributesClassName: 'a' },
      ['spec.csi: Required value: has to be specified when using volumeAttributesClassName'],
    ],
  ])('refuses %j', (more, expected) => {
    expect(problems(more)).toEqual(expected);
  });

  it('keeps the nodes of a volume', () => {
    const affinity = (key: string) => ({
      hostPath: { path: '/a' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }] } },
    });
    expect(problems(affinity('a'), affinity('a'))).toEqual([]);
    const [problem] = problems(affinity('b'), affinity('a'));
    expect(problem).toMatch(
      /^nodeAffinity: Invalid value: .*: field is immutable, except for updating from beta label/,
    );
  });
});

describe('claimErrors', () => {
  const problems = (more: JsonObject): string[] =>
    kindProblems('v1', 'PersistentVolumeClaim', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } }, ...more },
    });

  it('checks where the data comes from', () => {
    expect(problems({ dataSourceRef: { kind: 'Other', name: 'a', namespace: 'b' } })).toEqual([
      'spec.dataSourceRef: Invalid value: "Other": ' +
        "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
    ]);
    const source = { kind: 'PersistentVolumeClaim', name: 'a' };
    expect(problems({ dataSource: source, dataSourceRef: source })).toEqual([]);
    expect(problems({ dataSource: source, dataSourceRef: { ...source, name: 'b' } })).toEqual([
      'spec: Invalid value: {}: must match dataSourceRef',
    ]);
  });
});

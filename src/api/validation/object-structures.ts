import type { ObjectKind } from '../kinds.ts';
import { type Check, type Problem, problemsOf } from './check.ts';
import { POD_GROUP_FIELDS } from './pod-group.ts';
import { RESOURCE_API_FIELDS } from './resource-claims.ts';
import { arrayOf, boolean, int64, object, present, string } from './shapes.ts';
import { knownMetadata, labelSelector, nodeSelector, quantities, quantity, texts, volumeSources } from './structure.ts';

const strings = arrayOf(string);
const wholeNumber = int64;

function known(fields: Readonly<Record<string, Check>>): Check {
  return present(object({ metadata: knownMetadata, ...fields }));
}

const selectorOwner = known({ spec: object({ selector: texts }) });
const labelSelectorOwner = known({ spec: object({ selector: labelSelector }) });

const volumeTraits = {
  accessModes: strings,
  storageClassName: string,
  volumeAttributesClassName: string,
  volumeMode: string,
};

const CHECKS: { readonly [K in ObjectKind]: Check } = {
  Namespace: known({}),
  Service: selectorOwner,
  ReplicationController: selectorOwner,
  ReplicaSet: labelSelectorOwner,
  StatefulSet: labelSelectorOwner,
  PersistentVolumeClaim: known({
    spec: object({
      ...volumeTraits,
      resources: object({ requests: quantities }),
      selector: labelSelector,
      volumeName: string,
    }),
    status: object({ phase: string }),
  }),
  PersistentVolume: known({
    spec: object({
      ...volumeSources,
      ...volumeTraits,
      capacity: quantities,
      claimRef: object({ namespace: string, name: string, uid: string }),
      nodeAffinity: object({ required: nodeSelector }),
    }),
    status: object({ phase: string }),
  }),
  StorageClass: known({
    provisioner: string,
    volumeBindingMode: string,
    allowedTopologies: arrayOf(
      object({ matchLabelExpressions: arrayOf(object({ key: present(string), values: strings })) }),
    ),
  }),
  CSINode: known({
    spec: object({
      drivers: arrayOf(object({ name: present(string), allocatable: object({ count: wholeNumber }) })),
    }),
  }),
  CSIDriver: known({ spec: object({ storageCapacity: boolean }) }),
  CSIStorageCapacity: known({
    storageClassName: string,
    nodeTopology: labelSelector,
    capacity: quantity,
    maximumVolumeSize: quantity,
  }),
  VolumeAttachment: known({
    spec: object({ attacher: string, nodeName: string, source: object({ persistentVolumeName: string }) }),
  }),
  PodDisruptionBudget: known({
    spec: object({ selector: labelSelector }),
    status: object({ disruptionsAllowed: wholeNumber, disruptedPods: object({}) }),
  }),
  ResourceClaim: known(RESOURCE_API_FIELDS.ResourceClaim),
  ResourceSlice: known(RESOURCE_API_FIELDS.ResourceSlice),
  DeviceClass: known(RESOURCE_API_FIELDS.DeviceClass),
  PodGroup: known(POD_GROUP_FIELDS.PodGroup),
  Workload: known(POD_GROUP_FIELDS.Workload),
};

export function isOtherKind(kind: unknown): kind is ObjectKind {
  return typeof kind === 'string' && Object.hasOwn(CHECKS, kind);
}

/** What decisions could not do with such an object; see `structure.ts`. */
export function objectStructure(kind: ObjectKind, value: unknown): Problem[] {
  return problemsOf(CHECKS[kind], value);
}

import { type Check, isMissing, type ObjectCheck, quote } from './check.ts';
import { objectMeta } from './metadata.ts';
import { dnsLabel, dnsSubdomain, qualifiedName } from './names.ts';
import { amount, storageAmount } from './resources.ts';
import { labelSelector, nodeSelector } from './selectors.ts';
import {
  all,
  arrayOf,
  boolean,
  INT32_MAX,
  integer,
  nonEmpty,
  object,
  oneOf,
  required,
  string,
  uniqueBy,
  unlessEmpty,
} from './shapes.ts';
import { inTreeVolumeSource } from './volumes.ts';

/** Checks of storage objects (pkg/apis/core/validation and pkg/apis/storage/validation). */

const ONE_POD_ONLY = 'ReadWriteOncePod';

/** Refuses further access modes next to ReadWriteOncePod, which gives a volume to a single pod. */
const aloneIfOnePod: Check = (value, field, problems) => {
  if (!Array.isArray(value) || !value.includes(ONE_POD_ONLY) || new Set(value).size === 1) return;
  problems.push({ field, reason: `${ONE_POD_ONLY} cannot be combined with other access modes` });
};

const accessMode = oneOf('access mode', 'ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', ONE_POD_ONLY);
const accessModes = all(nonEmpty(arrayOf(accessMode)), aloneIfOnePod);
const volumeMode = oneOf('volume mode', 'Filesystem', 'Block', '');

/** Checks a class name; empty means no class. */
const className = unlessEmpty(dnsSubdomain);

export const persistentVolumeClaimSpec = required(
  object({
    accessModes,
    resources: required(object({ requests: required(object({ storage: required(storageAmount) })) })),
    storageClassName: className,
    volumeAttributesClassName: className,
    volumeMode,
    selector: labelSelector,
    volumeName: className,
  }),
);

export const persistentVolumeClaim: Check = object({
  metadata: objectMeta,
  spec: persistentVolumeClaimSpec,
  status: object({ phase: oneOf('phase', 'Pending', 'Bound', 'Lost', '') }),
});

export const persistentVolume: Check = object({
  metadata: objectMeta,
  spec: required(
    object({
      ...inTreeVolumeSource,
      accessModes,
      capacity: required(object({ storage: required(storageAmount) })),
      claimRef: object({ namespace: dnsLabel, name: dnsSubdomain, uid: string }),
      csi: object({ driver: required(string), volumeHandle: required(string) }),
      nodeAffinity: object({ required: required(nodeSelector) }),
      storageClassName: className,
      volumeAttributesClassName: className,
      volumeMode,
    }),
  ),
  status: object({ phase: oneOf('phase', 'Pending', 'Available', 'Bound', 'Released', 'Failed', '') }),
});

const topologyTerm = object({
  matchLabelExpressions: all(
    arrayOf(object({ key: required(qualifiedName), values: nonEmpty(arrayOf(string)) })),
    uniqueBy('key', 'topology key'),
  ),
});

export const storageClass: Check = object({
  metadata: objectMeta,
  provisioner: required(string),
  reclaimPolicy: oneOf('reclaim policy', 'Delete', 'Retain', ''),
  volumeBindingMode: oneOf('binding mode', 'Immediate', 'WaitForFirstConsumer'),
  allowedTopologies: arrayOf(topologyTerm),
});

export const csiNode: Check = object({
  metadata: objectMeta,
  spec: object({
    drivers: all(
      arrayOf(
        object({ name: required(string), nodeID: string, allocatable: object({ count: integer(0, INT32_MAX) }) }),
      ),
      uniqueBy('name', 'driver'),
    ),
  }),
});

export const csiDriver: Check = object({ metadata: objectMeta, spec: object({ storageCapacity: boolean }) });

export const csiStorageCapacity: Check = object({
  metadata: objectMeta,
  storageClassName: required(dnsSubdomain),
  nodeTopology: labelSelector,
  capacity: amount,
  maximumVolumeSize: amount,
});

/** Checks the attached source: the name of a volume, or an inline volume. */
const attachmentSource: ObjectCheck = (value, field, problems) => {
  const { persistentVolumeName, inlineVolumeSpec } = value;
  if (isMissing(persistentVolumeName) === isMissing(inlineVolumeSpec)) {
    const which = isMissing(persistentVolumeName) ? 'is required' : `cannot stand beside inlineVolumeSpec`;
    problems.push({ field: `${field}.persistentVolumeName`, reason: which });
  } else if (persistentVolumeName === '') {
    problems.push({ field: `${field}.persistentVolumeName`, reason: `bad name ${quote('')}` });
  }
};

export const volumeAttachment: Check = object({
  metadata: objectMeta,
  spec: required(
    object({
      attacher: required(string),
      nodeName: required(string),
      source: required(object({ persistentVolumeName: string }, attachmentSource)),
    }),
  ),
});

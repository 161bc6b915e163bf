import { isObject } from './check.ts';
import { isGoodKey } from './names.ts';
import { areLabels, isFilled, isFlagOrNone, isPlainName, isTextOrNone } from './plain-values.ts';
import { isTimestampText } from './shapes.ts';

/**
 * Whether the metadata pass every check of metadata, thorough or not, of every kind. They may hold a null where none of
 * the checks looks.
 */
export function isPlainMetadata(metadata: unknown): boolean {
  if (!isObject(metadata)) return false;
  const { name, namespace, labels, annotations, creationTimestamp, ownerReferences } = metadata;
  return (
    isPlainName(name) &&
    (namespace === undefined || isPlainName(namespace)) &&
    isTextOrNone(metadata['uid']) &&
    isTextOrNone(metadata['resourceVersion']) &&
    isTextOrNone(metadata['generateName']) &&
    (labels === undefined || areLabels(labels)) &&
    (annotations === undefined || areAnnotations(annotations)) &&
    (creationTimestamp === undefined ||
      (typeof creationTimestamp === 'string' && isTimestampText(creationTimestamp))) &&
    (ownerReferences === undefined || isOneOwner(ownerReferences)) &&
    metadata['generation'] === undefined &&
    metadata['deletionTimestamp'] === undefined &&
    metadata['deletionGracePeriodSeconds'] === undefined &&
    metadata['finalizers'] === undefined
  );
}

function areAnnotations(annotations: unknown): boolean {
  if (!isObject(annotations)) return false;
  for (const key in annotations) if (typeof annotations[key] !== 'string' || !isGoodKey(key)) return false;
  return true;
}

function isOneOwner(owners: unknown): boolean {
  if (!Array.isArray(owners) || owners.length !== 1 || !isObject(owners[0])) return false;
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owners[0];
  if (!isTextOrNone(apiVersion) || !isFilled(kind) || !isFilled(name) || !isFilled(uid)) return false;
  return isFlagOrNone(controller) && isFlagOrNone(blockOwnerDeletion);
}

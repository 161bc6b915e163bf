import { isObject } from './check.ts';
import { isGoodKey } from './names.ts';
import { isTimestampText } from './shapes.ts';

/**
 * Metadata that are valid at a glance. Nearly all are, and reading members by their names takes a fraction of a walk
 * through checks, which are there to say what is wrong.
 */

const LONGEST_PLAIN_NAME = 63;
const DASH = 45;
const DOT = 46;
const UNDERSCORE = 95;

function isDigitOrLowerCase(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);
}

/** Whether a name has only lower-case letters, digits and inner dashes, which is valid. Most names have. */
export function isPlainName(name: unknown): boolean {
  if (typeof name !== 'string' || name.length === 0 || name.length > LONGEST_PLAIN_NAME) return false;
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i);
    if (!isDigitOrLowerCase(unit) && (unit !== DASH || i === 0 || i === name.length - 1)) return false;
  }
  return true;
}

/** Whether the value of a label has only letters, digits and inner signs, which is valid; an empty one is, too. */
function isPlainValue(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > LONGEST_PLAIN_NAME) return false;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (isDigitOrLowerCase(unit) || (unit >= 65 && unit <= 90)) continue;
    const isInner = i > 0 && i < value.length - 1;
    if (!isInner || (unit !== DASH && unit !== DOT && unit !== UNDERSCORE)) return false;
  }
  return true;
}

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

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function areLabels(labels: unknown): boolean {
  if (!isObject(labels)) return false;
  for (const key in labels) if (!isPlainValue(labels[key]) || !isGoodKey(key)) return false;
  return true;
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

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isFlagOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

import { utf8ByteLength } from '../../lib/utf8.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../meta.ts';
import { type Check, isObject, type Problem, type UnknownObject } from './check.ts';
import { invalidValue, tooLong } from './field-error.ts';
import { all, object } from './shapes.ts';

/**
 * Checks of metadata that the API server makes besides the shape; scheduling does not depend on them. Values of the
 * wrong shape are left to the checks of the shape. Upstream: apimachinery/pkg/api/validation/objectmeta.go.
 */

/** A name, or the prefix of one: dashes at its end are followed by generated characters. */
const NAME_PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*-*$/;
const NAME_LENGTH_MAX = 253;

export const generateName: Check = (value, field, problems) => {
  if (typeof value !== 'string' || value === '') return;
  if (value.length <= NAME_LENGTH_MAX && NAME_PREFIX.test(value)) return;
  problems.push(invalidValue(field, value, 'must be a prefix of a lowercase RFC 1123 subdomain'));
};

const ANNOTATIONS_BYTES_MAX = 256 * 1024;

/** Checks the total size of all annotations, keys and values. */
export const annotationsSize: Check = (value, field, problems) => {
  if (!isObject(value)) return;
  let bytes = 0;
  for (const key in value) {
    const text = value[key];
    bytes += utf8ByteLength(key) + (typeof text === 'string' ? utf8ByteLength(text) : 0);
  }
  if (bytes > ANNOTATIONS_BYTES_MAX) problems.push(tooLong(field, ANNOTATIONS_BYTES_MAX));
};

/** Refuses finalizers that both orphan dependents and wait for them. */
export const onePropagation: Check = (value, field, problems) => {
  if (!Array.isArray(value) || !value.includes(ORPHAN_FINALIZER) || !value.includes(FOREGROUND_FINALIZER)) return;
  problems.push(
    invalidValue(field, value, `finalizer ${ORPHAN_FINALIZER} and ${FOREGROUND_FINALIZER} cannot be both set`),
  );
};

/** Finalizers that need no domain. */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', ORPHAN_FINALIZER, FOREGROUND_FINALIZER]);

/**
 * Checks finalizers. Upstream: validateKubeFinalizerName in pkg/apis/core/validation/validation.go, which is not
 * applied to all kinds.
 */
export const knownFinalizers: Check = (value, field, problems) => {
  if (!Array.isArray(value)) return;
  for (let index = 0; index < value.length; index++) {
    const name: unknown = value[index];
    if (typeof name !== 'string' || name.includes('/') || STANDARD_FINALIZERS.has(name)) continue;
    const rule = 'name is neither a standard finalizer name nor is it fully qualified';
    problems.push(invalidValue(`${field}[${index}]`, name, rule));
  }
};

/** Checks that owners have a version, and are no events, which are too short-lived. */
export const ownerKinds: Check = (value, field, problems) => {
  if (!Array.isArray(value)) return;
  for (let index = 0; index < value.length; index++) checkOwner(value[index], field, index, problems);
};

function checkOwner(owner: unknown, owners: string, index: number, problems: Problem[]): void {
  if (!isObject(owner)) return;
  const { apiVersion = '', kind }: UnknownObject = owner;
  // Pods own most claims, and nearly all objects that have owners are of versions without a group, or with one.
  if (typeof apiVersion !== 'string' || (apiVersion === 'v1' && kind !== 'Event')) return;
  const field = `${owners}[${index}]`;
  const [group, version, ...others] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  if (!version || others.length > 0) {
    problems.push(invalidValue(`${field}.apiVersion`, apiVersion, 'version must not be empty'));
  } else if (group === '' && version === 'v1' && kind === 'Event') {
    problems.push(invalidValue(field, { apiVersion, kind }, '/v1, Kind=Event is disallowed from being an owner'));
  }
}

const parts = { generateName, annotations: annotationsSize, ownerReferences: ownerKinds };
const freeParts = object({ ...parts, finalizers: onePropagation });
const coreParts = object({ ...parts, finalizers: all(onePropagation, knownFinalizers) });

/** All checks of stored metadata. */
export const storedMetadata: Check = (value, field, problems) => {
  if (isObject(value)) coreParts(value, field, problems);
};

/** The same without the check of finalizers, of which only the form is checked. */
export const storedMetadataWithFreeFinalizers: Check = (value, field, problems) => {
  if (isObject(value)) freeParts(value, field, problems);
};

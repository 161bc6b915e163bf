/** Checks of metadata that all kinds share (upstream: apimachinery/pkg/api/validation/objectmeta.go). */
import { labelKeyProblems, labelValueProblems } from '../../api/label-syntax.ts';
import { forbiddenField, goQuoted, invalidValue, requiredValue } from '../../kinds/object/field-errors.ts';
import type { ApiMetadata, JsonObject, JsonValue } from '../../kinds/object/json.ts';
import type { FieldError } from '../../kinds/object/status-error.ts';
import { dnsLabel, type NameRule } from './name-rules.ts';

const ANNOTATIONS_BYTES_MAX = 256 * 1024;
const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

export function metadataErrors(metadata: ApiMetadata, rule: NameRule, isNamespaced: boolean): FieldError[] {
  const { name = '', generateName = '', namespace = '', generation = 0 } = metadata;
  const errors: FieldError[] = [];
  if (generateName !== '') {
    for (const why of rule(generateName, true)) errors.push(invalidValue('metadata.generateName', generateName, why));
  }
  if (name === '') errors.push(requiredValue('metadata.name', 'name or generateName is required'));
  else for (const why of rule(name, false)) errors.push(invalidValue('metadata.name', name, why));
  if (isNamespaced && namespace === '') errors.push(requiredValue('metadata.namespace'));
  else if (isNamespaced) {
    for (const why of dnsLabel(namespace, false)) errors.push(invalidValue('metadata.namespace', namespace, why));
  } else if (namespace !== '') errors.push(forbiddenField('metadata.namespace', 'not allowed on this type'));
  if (generation < 0)
    errors.push(invalidValue('metadata.generation', generation, 'must be greater than or equal to 0'));
  return [...errors, ...sharedErrors(metadata)];
}

/** The checks that creates and updates have in common. */
function sharedErrors({ labels, annotations, ownerReferences, finalizers }: ApiMetadata): FieldError[] {
  return [
    ...labelErrors(labels ?? {}),
    ...annotationErrors(annotations ?? {}),
    ...ownerErrors(ownerReferences ?? []),
    ...finalizerErrors(finalizers ?? []),
  ];
}

function labelErrors(labels: Readonly<Record<string, string>>): FieldError[] {
  return Object.keys(labels)
    .sort()
    .flatMap((key) => {
      const value = labels[key] as string;
      return [
        ...labelKeyProblems(key).map((why) => invalidValue('metadata.labels', key, why)),
        ...labelValueProblems(value).map((why) => invalidValue('metadata.labels', value, why)),
      ];
    });
}

function annotationErrors(annotations: Readonly<Record<string, string>>): FieldError[] {
  let totalBytes = 0;
  const errors: FieldError[] = [];
  for (const key of Object.keys(annotations).sort()) {
    const problems = labelKeyProblems(key.toLowerCase());
    errors.push(...problems.map((why) => invalidValue('metadata.annotations', key, why)));
    totalBytes += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] as string);
  }
  if (totalBytes > ANNOTATIONS_BYTES_MAX) {
    const message = `Too long: may not be more than ${ANNOTATIONS_BYTES_MAX} bytes`;
    errors.push({ reason: 'FieldValueTooLong', field: 'metadata.annotations', message });
  }
  return errors;
}

function ownerErrors(owners: readonly JsonObject[]): FieldError[] {
  const path = 'metadata.ownerReferences';
  const errors: FieldError[] = [];
  let controller: JsonValue | undefined;
  for (const owner of owners) {
    const { apiVersion = '', kind = '', name = '', uid = '' } = owner as Record<string, string>;
    const parts = apiVersion.split('/');
    const version = parts.length > 2 ? '' : parts.at(-1);
    if (version === '') errors.push(invalidValue(`${path}.apiVersion`, apiVersion, 'version must not be empty'));
    if (kind === '') errors.push(invalidValue(`${path}.kind`, kind, 'must not be empty'));
    if (name === '') errors.push(invalidValue(`${path}.name`, name, 'must not be empty'));
    if (uid === '') errors.push(invalidValue(`${path}.uid`, uid, 'must not be empty'));
    if (apiVersion === 'v1' && kind === 'Event') {
      errors.push(invalidValue(path, owner, '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (owner['controller'] !== true) continue;
    if (controller === undefined) controller = owner;
    else {
      const [first, second] = [controller as JsonObject, owner].map((one) => `${one['kind']}/${one['name']}`);
      const found = `Found "true" in references for ${first} and ${second}`;
      const why = `Only one reference can have Controller set to true. ${found}`;
      errors.push(invalidValue(path, [...owners], why));
    }
  }
  return errors;
}

function finalizerErrors(finalizers: readonly string[]): FieldError[] {
  const path = 'metadata.finalizers';
  const errors = finalizers.flatMap((name, i) => {
    const problems = labelKeyProblems(name).map((why) => invalidValue(path, name, why));
    if (name.includes('/') || STANDARD_FINALIZERS.has(name)) return problems;
    const why = 'name is neither a standard finalizer name nor is it fully qualified';
    return [...problems, invalidValue(`${path}[${i}]`, name, why)];
  });
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalidValue(path, [...finalizers], 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/** Problems of an update of metadata, whose server-side members were filled in from the stored object before. */
export function metadataUpdateErrors(metadata: ApiMetadata, old: ApiMetadata): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    const added = (metadata.finalizers ?? []).filter((name) => !old.finalizers?.includes(name));
    if (added.length > 0) {
      const list = `[]string{${added.map(goQuoted).join(', ')}}`;
      const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
      errors.push(forbiddenField('metadata.finalizers', why));
    }
  }
  const { generation = 0 } = metadata;
  if (generation < (old.generation ?? 0)) {
    errors.push(invalidValue('metadata.generation', generation, 'must not be decremented'));
  }
  for (const name of IMMUTABLE) {
    if (metadata[name] === old[name]) continue;
    errors.push(invalidValue(`metadata.${name}`, metadata[name] as JsonValue, 'field is immutable'));
  }
  return [...errors, ...sharedErrors(metadata)];
}

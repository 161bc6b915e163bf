/** Reviews: questions that are posted, answered, and not stored. */
import { timeAtMillis } from '../../api/time.ts';
import { objectsAt, textAt } from '../../kinds/defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../../kinds/object/field-errors.ts';
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from '../../kinds/object/json.ts';
import { badRequest, invalid } from '../../kinds/object/refusals.ts';
import type { FieldError } from '../../kinds/object/status-error.ts';
import { operatorErrors, selectorTextErrors } from '../../kinds/validation/checks.ts';
import { type Answer, answerOf, type ResourceRequest } from '../context/context.ts';
import { managerOf } from './field-manager-name.ts';
import { writeOptions } from './query.ts';
import { readObject } from './read-object.ts';

type Review = (object: ApiObject, asked: ResourceRequest) => JsonObject;

/** The kinds of reviews; each returns the members of the answer besides metadata. */
const REVIEWS: Readonly<Record<string, Review>> = {
  SelfSubjectReview: (_, { modules }) => ({ status: { userInfo: modules.user } }),
  TokenReview: reviewToken,
  SelfSubjectAccessReview: (object) => allowed(object, accessErrors(object)),
  SubjectAccessReview: (object) => allowed(object, [...accessErrors(object), ...subjectErrors(object)]),
  LocalSubjectAccessReview: reviewLocalAccess,
  SelfSubjectRulesReview: reviewRules,
};

export function isReview(kind: string): boolean {
  return Object.hasOwn(REVIEWS, kind);
}

/** POST of a review. @throws StatusError */
export function review(asked: ResourceRequest): Answer {
  const { modules, request, served } = asked;
  const options = writeOptions(request.query, 'CreateOptions');
  const { object, warnings } = readObject(modules, request, served.schema, options.fieldValidation);
  const { kind, group } = served.resource;
  const { namespace = asked.namespace, ...metadata } = object.metadata ?? {};
  if (Object.keys(metadata).length > 0 && group === 'authorization.k8s.io') {
    const shown = withManagers(asked, object, options.fieldManager);
    throw refused([invalidValue('metadata', shown as JsonValue, 'must be empty')]);
  }
  const answer = (REVIEWS[kind] as Review)(object, asked);
  const now = timeAtMillis(modules.clock.nowMillis());
  const ownMetadata = kind === 'SelfSubjectReview' ? { creationTimestamp: now } : {};
  const shown = kind === 'LocalSubjectAccessReview' ? { ...ownMetadata, namespace } : ownMetadata;
  const head = { apiVersion: object.apiVersion as string, kind };
  return answerOf(served, { ...head, metadata: shown, ...answer } as ApiObject, { status: 201, warnings });
}

/** The metadata with who has set what, which is noted before a review is looked at. */
function withManagers(
  { modules, request, served }: ResourceRequest,
  object: ApiObject,
  fieldManager: string,
): JsonObject {
  const manager = managerOf(fieldManager, request.userAgent);
  const now = timeAtMillis(modules.clock.nowMillis());
  const managedFields = served.schema.fields.updated(undefined, object, { manager, subresource: '', now });
  return { ...object.metadata, ...(managedFields === undefined ? {} : { managedFields }) };
}

/** Access reviews are refused without their kind: they are validated before it is known. */
function refused(errors: readonly FieldError[]): Error {
  return invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}

function allowed(object: ApiObject, errors: readonly FieldError[]): JsonObject {
  if (errors.length > 0) throw refused(errors);
  return { spec: object['spec'], status: { allowed: true } };
}

const RESOURCE = 'spec.resourceAttributes';
const NON_RESOURCE = 'spec.nonResourceAttributes';

function accessErrors(object: ApiObject): FieldError[] {
  const spec = (object['spec'] ?? {}) as JsonObject;
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  const errors: FieldError[] = [];
  if (isJsonObject(resource) && isJsonObject(path)) {
    const value = { Path: path['path'] ?? '', Verb: path['verb'] ?? '' };
    errors.push(invalidValue(NON_RESOURCE, value, 'cannot be specified in combination with resourceAttributes'));
  }
  if (!isJsonObject(resource) && !isJsonObject(path)) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalidValue(RESOURCE, null, why));
  }
  if (isJsonObject(resource)) {
    for (const name of ['fieldSelector', 'labelSelector']) errors.push(...selectorErrors(resource, name));
  }
  return errors;
}

function selectorErrors(resource: JsonObject, name: string): FieldError[] {
  const selector = resource[name];
  if (!isJsonObject(selector)) return [];
  const raw = selector['rawSelector'] ?? '';
  const requirements = objectsAt(selector, 'requirements');
  const path = `${RESOURCE}.${name}`;
  const errors: FieldError[] = [];
  if (requirements.length > 0 && raw !== '') {
    errors.push(invalidValue(`${path}.rawSelector`, raw, 'may not specified at the same time as requirements'));
  }
  if (requirements.length === 0 && raw === '') {
    const why = `when ${path} is specified, requirements or rawSelector is required`;
    errors.push(requiredValue(`${path}.requirements`, why));
  }
  const isOfLabels = name === 'labelSelector';
  for (const [i, requirement] of requirements.entries()) {
    const at = `${path}.requirements[${i}]`;
    const named =
      isOfLabels || textAt(requirement, 'key') !== '' ? [] : [requiredValue(`${at}.key`, 'must be specified')];
    errors.push(...named, ...operatorErrors(at, requirement));
    if (isOfLabels) errors.push(...selectorTextErrors(at, requirement));
  }
  return errors;
}

function subjectErrors(object: ApiObject): FieldError[] {
  const { user = '', groups } = (object['spec'] ?? {}) as JsonObject;
  if (user !== '' || (Array.isArray(groups) && groups.length > 0)) return [];
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

function reviewLocalAccess(object: ApiObject, { namespace }: ResourceRequest): JsonObject {
  const errors = [...accessErrors(object), ...subjectErrors(object)];
  const { resourceAttributes: resource, nonResourceAttributes: path } = (object['spec'] ?? {}) as JsonObject;
  if (isJsonObject(resource) && (resource['namespace'] ?? '') !== namespace) {
    const given = resource['namespace'] ?? '';
    errors.push(invalidValue(`${RESOURCE}.namespace`, given, 'must match metadata.namespace'));
  }
  if (isJsonObject(path)) errors.push(forbiddenField(NON_RESOURCE, 'disallowed on this kind of request'));
  return allowed(object, errors);
}

function reviewRules(object: ApiObject): JsonObject {
  const { namespace = '' } = (object['spec'] ?? {}) as JsonObject;
  if (namespace === '') throw badRequest('no namespace on request');
  const status = {
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  };
  return { spec: {}, status };
}

function reviewToken(object: ApiObject, { modules }: ResourceRequest): JsonObject {
  const { token = '' } = (object['spec'] ?? {}) as JsonObject;
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const isKnown = modules.isToken?.(String(token)) ?? false;
  const status: JsonObject = isKnown
    ? { authenticated: true, user: modules.user }
    : { user: {}, error: 'invalid bearer token' };
  return { spec: object['spec'], status };
}

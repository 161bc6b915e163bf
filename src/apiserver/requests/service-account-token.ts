import { timeAtMillis } from '../../api/time.ts';
import { objectAt, textAt } from '../../kinds/defaults/members.ts';
import { invalidValue } from '../../kinds/object/field-errors.ts';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { badRequest, conflict, notFound, refuseInvalid, unclassified } from '../../kinds/object/refusals.ts';
import { type Answer, answerOf, type ResourceRequest } from '../context/context.ts';
import { writeOptions } from './query.ts';
import { readObject } from './read-object.ts';

const SECONDS_DEFAULT = 3600;
const SECONDS_MIN = 600;
const SECONDS_MAX = 2 ** 32;
const AUDIENCE = 'https://kubernetes.default.svc';

/** POST of a TokenRequest to a service account. The token is well formed, but opens nothing. @throws StatusError */
export function requestToken(asked: ResourceRequest): Answer {
  const { modules, request, served, namespace, name } = asked;
  const options = writeOptions(request.query, 'CreateOptions');
  const schema = modules.registry.schemaOf('authentication.k8s.io', 'v1', 'TokenRequest');
  if (schema === undefined) throw unclassified('tokens are not served');
  const { object } = readObject(modules, request, schema, options.fieldValidation);
  const account = modules.storages.of(served).get(namespace, name);
  if (account === undefined) throw notFound(served.resource, name);
  const spec = (object['spec'] ?? {}) as JsonObject;
  const expirationSeconds = Number(spec['expirationSeconds'] ?? SECONDS_DEFAULT);
  const boundObjectRef = (spec['boundObjectRef'] ?? null) as JsonObject | null;
  const audiences = (spec['audiences'] ?? []) as string[];
  checkSeconds(expirationSeconds);
  if (boundObjectRef !== null) checkBound(asked, boundObjectRef);
  const expiryMillis = modules.clock.nowMillis() + expirationSeconds * 1000;
  const wanted = { audiences: audiences.length === 0 ? [AUDIENCE] : audiences, expirationSeconds, boundObjectRef };
  const status = {
    token: tokenOf({
      aud: wanted.audiences,
      exp: Math.floor(expiryMillis / 1000),
      sub: `system:serviceaccount:${namespace}:${name}`,
      jti: modules.names.uid(),
    }),
    expirationTimestamp: timeAtMillis(expiryMillis),
  };
  const creationTimestamp = timeAtMillis(modules.clock.nowMillis());
  const answer = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, uid: account.metadata?.uid, creationTimestamp },
    spec: wanted,
    status,
  };
  return answerOf({ resource: served.resource, schema }, answer as unknown as ApiObject, { status: 201 });
}

function checkSeconds(seconds: number): void {
  const errors = [];
  if (seconds < SECONDS_MIN) {
    errors.push(invalidValue('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes'));
  }
  if (seconds > SECONDS_MAX) {
    errors.push(invalidValue('spec.expirationSeconds', seconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  refuseInvalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', errors);
}

const BOUND_KINDS = ['Pod', 'Node', 'Secret'];

/** @throws StatusError NotFound, BadRequest or Conflict */
function checkBound({ modules, namespace, name: account }: ResourceRequest, bound: JsonObject): void {
  const [apiVersion, kind, name, uid] = ['apiVersion', 'kind', 'name', 'uid'].map((member) => textAt(bound, member));
  const [version = '', group = ''] = (apiVersion as string).split('/').reverse();
  const served = modules.registry.find('', 'v1', `${(kind as string).toLowerCase()}s`);
  if (group !== '' || served === undefined || !BOUND_KINDS.includes(kind as string)) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const found = modules.storages.of(served).get(served.resource.isNamespaced ? namespace : '', name as string);
  if (found === undefined) throw notFound(served.resource, name as string);
  if (kind === 'Pod' && textAt(objectAt(found as JsonObject, 'spec'), 'serviceAccountName') !== account) {
    const why = 'to pod running with different serviceaccount name.';
    throw badRequest(`cannot bind token for serviceaccount ${JSON.stringify(account)} ${why}`);
  }
  if (uid === '' || uid === found.metadata?.uid) return;
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record.`;
  const advice = 'The object might have been deleted and then recreated';
  throw conflict({ group: '', resource: kind as string }, name as string, `${why} ${advice}`);
}

/** A JSON Web Token without a signature that anybody could check. */
function tokenOf(claims: JsonObject): string {
  const encode = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.unsigned`;
}

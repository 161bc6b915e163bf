import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { notNegative, oneOf, portNumber, portRef } from './checks.ts';

/** Checks of probes and lifecycle hooks (validateProbe, validateHandler). */

const NUMBERS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

/** `isOnce`: one success is enough for liveness and startup, and more cannot be asked for. */
export function probeErrors(
  field: string,
  probe: JsonObject | undefined,
  isOnce: boolean,
  graceSeconds: number | undefined,
): FieldError[] {
  if (probe === undefined) return [];
  const errors = handlerErrors(field, probe, graceSeconds);
  for (const name of NUMBERS) errors.push(...notNegative(`${field}.${name}`, probe[name]));
  const seconds = probe['terminationGracePeriodSeconds'];
  if (typeof seconds === 'number' && seconds <= 0) {
    errors.push(invalidValue(`${field}.terminationGracePeriodSeconds`, seconds, 'must be greater than 0'));
  }
  if (!isOnce && seconds !== undefined) {
    errors.push(invalidValue(`${field}.terminationGracePeriodSeconds`, seconds, 'must not be set for readinessProbes'));
  }
  if (isOnce && probe['successThreshold'] !== 1) {
    errors.push(invalidValue(`${field}.successThreshold`, probe['successThreshold'] ?? 0, 'must be 1'));
  }
  return errors;
}

/** `graceSeconds`: the time that the containers of the pod have to end. */
export function lifecycleErrors(
  field: string,
  lifecycle: JsonObject | undefined,
  graceSeconds: number | undefined,
): FieldError[] {
  return ['postStart', 'preStop'].flatMap((name) => {
    const handler = objectAt(lifecycle, name);
    return handler === undefined ? [] : handlerErrors(`${field}.${name}`, handler, graceSeconds);
  });
}

function handlerErrors(field: string, handler: JsonObject, graceSeconds: number | undefined): FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  const add = (name: string, check: (part: JsonObject, path: string) => FieldError[]): void => {
    const part = objectAt(handler, name);
    if (part === undefined) return;
    count++;
    if (count > 1) errors.push(forbiddenField(`${field}.${name}`, 'may not specify more than 1 handler type'));
    else errors.push(...check(part, `${field}.${name}`));
  };
  add('exec', (exec, path) => {
    return Array.isArray(exec['command']) && exec['command'].length > 0 ? [] : [requiredValue(`${path}.command`)];
  });
  add('httpGet', httpErrors);
  add('tcpSocket', (socket, path) => portRef(`${path}.port`, socket['port']));
  add('grpc', (grpc, path) => portNumber(`${path}.port`, grpc['port'] ?? 0));
  add('sleep', (sleep, path) => sleepErrors(path, Number(sleep['seconds'] ?? 0), graceSeconds));
  if (count === 0) errors.push(requiredValue(field, 'must specify a handler type'));
  return errors;
}

function sleepErrors(field: string, seconds: number, graceSeconds: number | undefined): FieldError[] {
  if (graceSeconds === undefined || (seconds >= 0 && seconds <= graceSeconds)) return [];
  const why = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
  return [invalidValue(field, seconds, why)];
}

const HEADER = /^[-A-Za-z0-9]+$/;
const HEADER_TEXT =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for" +
  " validation is '[-A-Za-z0-9]+')";

function httpErrors(get: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (textAt(get, 'path') === '') errors.push(requiredValue(`${path}.path`));
  errors.push(...portRef(`${path}.port`, get['port']), ...oneOf(`${path}.scheme`, get['scheme'], ['HTTP', 'HTTPS']));
  for (const header of objectsAt(get, 'httpHeaders')) {
    const name = textAt(header, 'name');
    if (!HEADER.test(name)) errors.push(invalidValue(`${path}.httpHeaders`, name, HEADER_TEXT));
  }
  return errors;
}

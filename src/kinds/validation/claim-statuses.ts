import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, tooLong, tooMany } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { nodeSelectorErrors } from './affinity.ts';
import { dnsLabel, oneOf, sameJson } from './checks.ts';
import { conditionsErrors } from './conditions.ts';
import { bindingErrors, listErrors, poolErrors, rawObjectErrors, setErrors } from './device-names.ts';
import { configErrors, type NameTest, referenceErrors, requestNameErrors, requestsOf } from './devices.ts';
import { internalJson } from './internal-json.ts';
import { csiDriverName } from './volume-sources.ts';
import { specOf } from './workloads.ts';

/** Checks of what is reported of a claim to devices (ValidateResourceClaimStatusUpdate). */

const USERS_MAX = 256;
const RESULTS_MAX = 32;
const CONFIGS_MAX = 64;
const CONDITIONS_MAX = 8;
const DATA_BYTES_MAX = 10 * 1024;
const NETWORK_BYTES_MAX = { interfaceName: 256, hardwareAddress: 128 };
const SOURCES = ['FromClaim', 'FromClass'];

export function claimStatusErrors(claim: JsonObject, old: JsonObject): FieldError[] {
  const status = objectAt(claim, 'status') ?? {};
  const before = objectAt(old, 'status') ?? {};
  const users = objectsAt(status, 'reservedFor');
  const allocation = objectAt(status, 'allocation');
  const errors = [
    ...setErrors('status.reservedFor', users, USERS_MAX, userErrors, (user) => textAt(user, 'uid')),
    ...deviceErrors(objectsAt(status, 'devices'), objectsAt(objectAt(allocation, 'devices'), 'results')),
  ];
  if (users.length > 0) {
    if (allocation === undefined) {
      errors.push(forbiddenField('status.reservedFor', 'may not be specified when `allocated` is not set'));
    } else if (objectAt(claim, 'metadata')?.['deletionTimestamp'] !== undefined && hasMore(users, before)) {
      const why = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
      errors.push(forbiddenField('status.reservedFor', why));
    }
  }
  if (allocation === undefined) return errors;
  const allocated = objectAt(before, 'allocation');
  if (allocated === undefined) return [...errors, ...allocationErrors(allocation, requestsOfClaim(claim))];
  if (sameJson(allocation, allocated)) return errors;
  const shown = internalJson('resource/v1.AllocationResult', allocation);
  return [...errors, invalidValue('status.allocation', shown, 'field is immutable')];
}

function requestsOfClaim(claim: JsonObject): NameTest {
  return requestsOf(objectsAt(objectAt(specOf(claim), 'devices'), 'requests'));
}

function userErrors(path: string, user: JsonObject): FieldError[] {
  const missing = ['resource', 'name', 'uid'].filter((name) => textAt(user, name) === '');
  return missing.map((name) => requiredValue(`${path}.${name}`));
}

function hasMore(users: readonly JsonObject[], before: JsonObject): boolean {
  const known = objectsAt(before, 'reservedFor');
  return users.some((user) => !known.some((one) => sameJson(one, user)));
}

/** A new allocation, whose results are of the claim's requests. */
function allocationErrors(allocation: JsonObject, isKnown: NameTest): FieldError[] {
  const devices = objectAt(allocation, 'devices');
  const at = 'status.allocation.devices';
  const selector = objectAt(allocation, 'nodeSelector');
  return [
    ...listErrors(`${at}.results`, objectsAt(devices, 'results'), RESULTS_MAX, (path, result) => [
      ...requestNameErrors(`${path}.request`, textAt(result, 'request'), isKnown),
      ...identityErrors(path, result),
      ...bindingErrors(path, result),
    ]),
    ...listErrors(`${at}.config`, objectsAt(devices, 'config'), CONFIGS_MAX, (path, config) => [
      ...oneOf(`${path}.source`, config['source'], SOURCES, true),
      ...referenceErrors(`${path}.requests`, config, isKnown),
      ...configErrors(path, config),
    ]),
    ...(selector === undefined ? [] : nodeSelectorErrors('status.allocation.nodeSelector', selector)),
  ];
}

function identityErrors(path: string, device: JsonObject): FieldError[] {
  return [
    ...csiDriverName(`${path}.driver`, textAt(device, 'driver')),
    ...poolErrors(`${path}.pool`, textAt(device, 'pool')),
    ...dnsLabel(`${path}.device`, textAt(device, 'device')),
  ];
}

/** What drivers report of devices, each of which must be among the allocated ones. */
function deviceErrors(devices: readonly JsonObject[], results: readonly JsonObject[]): FieldError[] {
  const allocated = new Set(results.map(identityOf));
  const seen = new Set<string>();
  const again: FieldError[] = [];
  const errors = devices.flatMap((device, i) => {
    const path = `status.devices[${i}]`;
    const identity = identityOf(device);
    if (seen.has(identity)) {
      again.push({ reason: 'FieldValueDuplicate', field: path, message: `Duplicate value: ${identity}` });
    }
    seen.add(identity);
    return [...identityErrors(path, device), ...reportErrors(path, device, allocated.has(identity))];
  });
  return [...errors, ...again];
}

function identityOf(device: JsonObject): string {
  const share = textAt(device, 'shareID');
  const name = ['driver', 'pool', 'device'].map((member) => textAt(device, member)).join('/');
  return share === '' ? name : `${name}/${share}`;
}

function reportErrors(path: string, device: JsonObject, isAllocated: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (!isAllocated) {
    const message = `Invalid value: ${identityOf(device)}: must be an allocated device in the claim`;
    errors.push({ reason: 'FieldValueInvalid', field: path, message });
  }
  const { length } = objectsAt(device, 'conditions');
  if (length > CONDITIONS_MAX) errors.push(tooMany(`${path}.conditions`, length, CONDITIONS_MAX));
  errors.push(...conditionsErrors(path, device));
  const data = device['data'];
  if (data !== undefined && data !== null) errors.push(...rawObjectErrors(`${path}.data`, data, DATA_BYTES_MAX));
  const network = objectAt(device, 'networkData');
  for (const [name, max] of Object.entries(NETWORK_BYTES_MAX)) {
    if (Buffer.byteLength(textAt(network, name)) <= max) continue;
    errors.push(tooLong(`${path}.networkData.${name}`, `may not be more than ${max} bytes`));
  }
  return errors;
}

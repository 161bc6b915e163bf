import { CodedError } from '../../lib/errors.ts';
import { parseQuantity, type Quantity } from '../quantity.ts';
import { isExtendedResourceName, isPodLevelResourceName } from '../resources.ts';
import { type Check, isMissing, isObject, member, type ObjectCheck, quote, show } from './check.ts';
import { qualifiedName } from './names.ts';
import { mapOf, object } from './shapes.ts';

/** Longer texts are refused, since reading millions of digits would take minutes. */
const QUANTITY_LENGTH_MAX = 256;

/** The form of nearly all amounts, which need not be parsed. */
const PLAIN_AMOUNT = /^\d{1,9}(?:m|Ki|Mi|Gi)?$/;

/** Such an amount that is a whole number. */
const PLAIN_WHOLE_AMOUNT = /^\d{1,9}(?:Ki|Mi|Gi)?$/;

/** Whether the amount can be read at a glance. */
export function isPlainAmount(value: unknown): boolean {
  return typeof value === 'string' ? PLAIN_AMOUNT.test(value) : Number.isSafeInteger(value);
}

/** An amount that can be read, whatever it means. */
export const readableQuantity: Check = (value, field, problems) => {
  if (isMissing(value) || isPlainAmount(value)) return;
  const reason = readingProblem(value);
  if (reason !== null) problems.push({ field, reason });
};

/**
 * Checks an amount of any resource: readable, not negative, and whole for countable resources
 * (`ValidateResourceQuantityValue`).
 */
export const amount: Check = (value, field, problems) => {
  if (isMissing(value) || (typeof value === 'string' && PLAIN_AMOUNT.test(value))) return;
  const reason = amountProblem(value);
  if (reason !== null) problems.push({ field, reason });
};

function amountProblem(value: unknown): string | null {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return `the number ${value} lost digits when the file was read: put it in quotes`;
  }
  const reason = readingProblem(value);
  if (reason !== null) return reason;
  return parseQuantity(value as string | number).nano < 0n ? `negative quantity ${JSON.stringify(value)}` : null;
}

function readingProblem(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') {
    return `must be a quantity such as "100m" or "2Gi", not ${show(value)}`;
  }
  if (typeof value === 'string' && value.length > QUANTITY_LENGTH_MAX) return `malformed quantity ${quote(value)}`;
  try {
    parseQuantity(value);
    return null;
  } catch (error) {
    if (error instanceof CodedError) return error.message.replace(/^invalid quantity/, 'malformed quantity');
    throw error;
  }
}

const wholeAmounts: Check = (value, field, problems) => {
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    if ((name !== 'pods' && !isExtendedResourceName(name)) || isPlainWholeAmount(value[name])) continue;
    const quantity = readableAmount(value[name]);
    if (quantity !== null && quantity.nano % 1_000_000_000n !== 0n) {
      problems.push({
        field: member(field, name),
        reason: `must be a whole number, not ${JSON.stringify(value[name])}`,
      });
    }
  }
};

function isPlainWholeAmount(value: unknown): boolean {
  return typeof value === 'string' ? PLAIN_WHOLE_AMOUNT.test(value) : Number.isSafeInteger(value);
}

function readableAmount(value: unknown): Quantity | null {
  if (isMissing(value) || amountProblem(value) !== null) return null;
  return parseQuantity(value as string | number);
}

/** Checks an amount of storage, which must be above zero. */
export const storageAmount: Check = (value, field, problems) => {
  amount(value, field, problems);
  if (readableAmount(value)?.nano === 0n) problems.push({ field, reason: 'must be more than 0' });
};

const amounts = mapOf(qualifiedName, amount);

/** Checks amounts by resource name. */
export const resourceList: Check = (value, field, problems) => {
  amounts(value, field, problems);
  wholeAmounts(value, field, problems);
};

/** Checks that requests do not exceed limits. */
const requestsWithinLimits: ObjectCheck = (value, field, problems) => {
  const { requests, limits } = value;
  if (!isObject(requests) || !isObject(limits)) return;
  for (const name of Object.keys(requests)) {
    // Most limits are absent, or what is requested.
    if (isMissing(limits[name]) || limits[name] === requests[name]) continue;
    const request = readableAmount(requests[name]);
    const limit = readableAmount(limits[name]);
    if (request !== null && limit !== null && request.nano > limit.nano) {
      const texts = `${JSON.stringify(requests[name])} is more than the limit ${JSON.stringify(limits[name])}`;
      problems.push({ field: member(`${field}.requests`, name), reason: texts });
    }
  }
};

/** The check of a container's `resources`. */
export const resourceRequirements: Check = object(
  { requests: resourceList, limits: resourceList },
  requestsWithinLimits,
);

const podLevelNames: Check = (value, field, problems) => {
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    if (isPodLevelResourceName(name)) continue;
    problems.push({ field: member(field, name), reason: 'cannot be set for a pod as a whole, only for a container' });
  }
};

/** Checks `spec.resources`: only cpu, memory and huge pages can be set for the pod as a whole. */
export const podLevelResources: Check = (value, field, problems) => {
  resourceRequirements(value, field, problems);
  if (!isObject(value)) return;
  podLevelNames(value['requests'], `${field}.requests`, problems);
  podLevelNames(value['limits'], `${field}.limits`, problems);
};

import { type Check, isMissing, isObject, quote, show } from './check.ts';
import { objectMeta } from './metadata.ts';
import { dnsSubdomain } from './names.ts';
import { labelSelector } from './selectors.ts';
import { INT32_MAX, INT32_MIN, integer, mapOf, object, timestamp } from './shapes.ts';

/** Checks a number of pods, or a percentage. */
const countOrPercent: Check = (value, field, problems) => {
  if (isMissing(value)) return;
  if (typeof value === 'number') integer(0, INT32_MAX)(value, field, problems);
  else if (typeof value !== 'string') {
    problems.push({ field, reason: `must be a number or a percentage, not ${show(value)}` });
  } else if (!/^\d{1,9}%$/.test(value) || Number.parseInt(value, 10) > 100) {
    problems.push({ field, reason: `bad percentage ${quote(value)} (expected 0% to 100%)` });
  }
};

const notBoth: Check = (value, field, problems) => {
  if (!isObject(value) || isMissing(value['minAvailable']) || isMissing(value['maxUnavailable'])) return;
  problems.push({ field: `${field}.maxUnavailable`, reason: 'cannot be set together with minAvailable' });
};

/** A policy/v1 PodDisruptionBudget (pkg/apis/policy/validation/validation.go). */
export const podDisruptionBudget: Check = object({
  metadata: objectMeta,
  spec: object({ selector: labelSelector, minAvailable: countOrPercent, maxUnavailable: countOrPercent }, notBoth),
  status: object({
    disruptionsAllowed: integer(INT32_MIN, INT32_MAX),
    disruptedPods: mapOf(dnsSubdomain, timestamp),
  }),
});

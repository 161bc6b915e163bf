import { type Check, isObject, quote } from './check.ts';
import { dnsLabel, qualifiedName } from './names.ts';
import { labelKeysNeedSelector, labelSelector, selectorLabelKeys } from './selectors.ts';
import { arrayOf, integer, object, required } from './shapes.ts';

/** Refuses a key that must both match and mismatch (`validateMatchLabelKeysAndMismatchLabelKeys`). */
const disjointLabelKeys: Check = (value, field, problems) => {
  if (!isObject(value)) return;
  const { matchLabelKeys, mismatchLabelKeys } = value;
  if (!Array.isArray(matchLabelKeys) || !Array.isArray(mismatchLabelKeys)) return;
  for (let i = 0; i < matchLabelKeys.length; i++) {
    const key: unknown = matchLabelKeys[i];
    if (typeof key !== 'string' || !mismatchLabelKeys.includes(key)) continue;
    problems.push({ field: `${field}.matchLabelKeys[${i}]`, reason: `${quote(key)} is in mismatchLabelKeys too` });
  }
};

const podAffinityTerm = object(
  {
    topologyKey: required(qualifiedName),
    labelSelector,
    namespaces: arrayOf(dnsLabel),
    namespaceSelector: labelSelector,
    matchLabelKeys: selectorLabelKeys,
    mismatchLabelKeys: selectorLabelKeys,
  },
  labelKeysNeedSelector('matchLabelKeys', 'mismatchLabelKeys'),
  disjointLabelKeys,
);

/** The check of `podAffinity` and `podAntiAffinity`. */
export const podAffinity: Check = object({
  requiredDuringSchedulingIgnoredDuringExecution: arrayOf(podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: arrayOf(
    object({ weight: required(integer(1, 100)), podAffinityTerm: required(podAffinityTerm) }),
  ),
});

import { type Check, isMissing, isObject, type ObjectCheck, quote } from './check.ts';
import { dnsLabel, labelValue, qualifiedName } from './names.ts';
import { labelKeysNeedSelector, labelSelector, selectorLabelKeys } from './selectors.ts';
import {
  all,
  arrayOf,
  INT32_MAX,
  int64,
  integer,
  object,
  oneOf,
  required,
  string,
  timestamp,
  unique,
  unlessEmpty,
} from './shapes.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

const taint = object({
  key: required(qualifiedName),
  value: labelValue,
  effect: required(oneOf('taint effect', ...EFFECTS)),
  timeAdded: timestamp,
});

/** Checks node taints; a key may occur once with each effect. */
export const taints: Check = all(
  arrayOf(taint),
  unique('taint', (item) => {
    if (!isObject(item) || typeof item['key'] !== 'string' || typeof item['effect'] !== 'string') return null;
    return `${item['key']}:${item['effect']}`;
  }),
);

/** Checks the rules between the fields of a toleration (`ValidateTolerations`). */
const tolerationRules: ObjectCheck = (value, field, problems) => {
  const operator = value['operator'];
  const keyMissing = isMissing(value['key']) || value['key'] === '';
  if (keyMissing && operator !== 'Exists') {
    problems.push({ field: `${field}.operator`, reason: 'must be Exists when key is empty, which matches all keys' });
  }
  if (operator === 'Exists' && !isMissing(value['value']) && value['value'] !== '') {
    problems.push({ field: `${field}.value`, reason: 'must be empty when operator is Exists' });
  }
  if (!isMissing(value['tolerationSeconds']) && value['effect'] !== 'NoExecute') {
    problems.push({ field: `${field}.effect`, reason: 'must be NoExecute when tolerationSeconds is set' });
  }
};

export const tolerations: Check = arrayOf(
  object(
    {
      key: unlessEmpty(qualifiedName),
      operator: oneOf('toleration operator', 'Exists', 'Equal', ''),
      value: string,
      effect: oneOf('taint effect', ...EFFECTS, ''),
      tolerationSeconds: int64,
    },
    tolerationRules,
  ),
);

const policy = oneOf('policy', 'Honor', 'Ignore');

const minDomainsOnlyWhenHard: ObjectCheck = (value, field, problems) => {
  if (isMissing(value['minDomains'])) return;
  if (value['whenUnsatisfiable'] !== 'ScheduleAnyway') return;
  problems.push({
    field: `${field}.minDomains`,
    reason: 'can only be set when whenUnsatisfiable is DoNotSchedule',
  });
};

const constraint = object(
  {
    maxSkew: required(integer(1, INT32_MAX)),
    topologyKey: required(qualifiedName),
    whenUnsatisfiable: required(oneOf('action', 'DoNotSchedule', 'ScheduleAnyway')),
    labelSelector,
    minDomains: integer(1, INT32_MAX),
    nodeAffinityPolicy: policy,
    nodeTaintsPolicy: policy,
    matchLabelKeys: selectorLabelKeys,
  },
  minDomainsOnlyWhenHard,
  labelKeysNeedSelector('matchLabelKeys'),
);

/** Two constraints with the same key must differ in `whenUnsatisfiable` (`validateTopologySpreadConstraints`). */
const uniqueConstraints = unique('constraint {topologyKey, whenUnsatisfiable}', (item) => {
  if (!isObject(item)) return null;
  const { topologyKey, whenUnsatisfiable } = item;
  if (typeof topologyKey !== 'string' || typeof whenUnsatisfiable !== 'string') return null;
  return `{${topologyKey}, ${whenUnsatisfiable}}`;
});

export const topologySpreadConstraints: Check = all(arrayOf(constraint), uniqueConstraints);

/** Refuses a key that must both match and mismatch (`validateMatchLabelKeysAndMismatchLabelKeys`). */
const disjointLabelKeys: ObjectCheck = (value, field, problems) => {
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

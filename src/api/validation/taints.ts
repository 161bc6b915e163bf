import { type Check, isMissing, isObject, type ObjectCheck } from './check.ts';
import { labelValue, qualifiedName } from './names.ts';
import {
  all,
  arrayOf,
  integer,
  object,
  oneOf,
  required,
  SAFE_MAX,
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
      tolerationSeconds: integer(-SAFE_MAX, SAFE_MAX),
    },
    tolerationRules,
  ),
);

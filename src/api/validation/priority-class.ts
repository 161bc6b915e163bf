import { SYSTEM_PRIORITY_CLASSES, SYSTEM_PRIORITY_PREFIX, USER_PRIORITY_MAX } from '../priority-class.ts';
import { type Check, isObject, quote } from './check.ts';
import { objectMeta } from './metadata.ts';
import { boolean, INT32_MAX, INT32_MIN, integer, object, oneOf, required } from './shapes.ts';

/** Names that begin with `system-` are reserved, and so are the values above the users' maximum. */
const reservedForSystem: Check = (value, _field, problems) => {
  if (!isObject(value) || !isObject(value['metadata'])) return;
  const { name } = value['metadata'];
  const { value: priority, globalDefault } = value;
  // A value that is no 32-bit number is refused by another check.
  if (typeof name !== 'string' || typeof priority !== 'number' || priority > INT32_MAX) return;
  if (!name.startsWith(SYSTEM_PRIORITY_PREFIX)) {
    if (priority <= USER_PRIORITY_MAX) return;
    problems.push({ field: 'value', reason: `must be at most ${USER_PRIORITY_MAX}, not ${priority}` });
    return;
  }
  const known = SYSTEM_PRIORITY_CLASSES.get(name);
  if (known === undefined) {
    problems.push({ field: 'metadata.name', reason: `${quote(name)}: the prefix system- is kept for the system` });
  } else if (priority !== known.value) {
    problems.push({ field: 'value', reason: `must be ${known.value} for ${name}, not ${priority}` });
  } else if (globalDefault === true) {
    problems.push({ field: 'globalDefault', reason: `must be false for ${name}` });
  }
};

/** Upstream: pkg/apis/scheduling/validation/validation.go. */
export const priorityClass: Check = object(
  {
    metadata: objectMeta,
    value: required(integer(INT32_MIN, INT32_MAX)),
    globalDefault: boolean,
    preemptionPolicy: oneOf('preemptionPolicy', 'PreemptLowerPriority', 'Never', ''),
  },
  reservedForSystem,
);

import { type Check, isMissing, isObject } from './check.ts';
import { qualifiedName } from './names.ts';
import { labelKeysNeedSelector, labelSelector, selectorLabelKeys } from './selectors.ts';
import { all, arrayOf, INT32_MAX, integer, object, oneOf, required, unique } from './shapes.ts';

const policy = oneOf('policy', 'Honor', 'Ignore');

const minDomainsOnlyWhenHard: Check = (value, field, problems) => {
  if (!isObject(value) || isMissing(value['minDomains'])) return;
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

import { labelKeyProblems } from '../../api/label-syntax.ts';
import type { TopologySpreadConstraint } from '../../api/topology-spread.ts';
import { type ArgsKind, child, nonEmpty } from '../../config/args/args-kind.ts';
import {
  type Complete,
  type Decoded,
  empty,
  int32,
  list,
  or,
  orIfZero,
  string,
  stringMap,
  struct,
} from '../../config/decode/decoder.ts';
import {
  type ConfigurationError,
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../config/decode/field-error.ts';

const DEFAULTING_TYPES = ['System', 'List'] as const;
const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];

const requirement = struct({ key: or(string, ''), operator: or(string, ''), values: list(string, '') });
const constraint = struct({
  maxSkew: or(int32, 0),
  topologyKey: or(string, ''),
  whenUnsatisfiable: or(string, ''),
  labelSelector: struct({ matchLabels: stringMap, matchExpressions: list(requirement, empty(requirement)) }),
  minDomains: int32,
  nodeAffinityPolicy: string,
  nodeTaintsPolicy: string,
  matchLabelKeys: list(string, ''),
});

const decode = struct({
  /** The constraints of pods without constraints of their own; they have no labelSelector. */
  defaultConstraints: or(list(constraint, empty(constraint)), []),
  /** `System`: the built-in constraints; `List`: those of `defaultConstraints`. Validation rejects all other types. */
  defaultingType: orIfZero(string, 'System') as Complete<(typeof DEFAULTING_TYPES)[number]>,
});

export type PodTopologySpreadArgs = Decoded<typeof decode>;

export const podTopologySpreadArgs: ArgsKind<PodTopologySpreadArgs> = {
  decode,

  zero: { defaultConstraints: [], defaultingType: '' as PodTopologySpreadArgs['defaultingType'] },

  validate({ defaultConstraints, defaultingType }, path) {
    const field = child(path, 'defaultingType');
    const errors: ConfigurationError[] = [];
    if (!DEFAULTING_TYPES.includes(defaultingType)) {
      errors.push(notSupported(field, defaultingType, DEFAULTING_TYPES));
    } else if (defaultingType === 'System' && defaultConstraints.length > 0) {
      errors.push(invalid(field, defaultingType, 'when .defaultConstraints are not empty'));
    }
    const listPath = child(path, 'defaultConstraints');
    for (const [i, constraint] of defaultConstraints.entries()) {
      errors.push(...validateConstraint(constraint, `${listPath}[${i}]`, defaultConstraints.slice(0, i)));
    }
    return errors;
  },

  encode: ({ defaultConstraints, defaultingType }) => ({
    defaultConstraints: nonEmpty(defaultConstraints.map(encodeConstraint)),
    defaultingType,
  }),
};

function encodeConstraint({ matchLabelKeys, ...rest }: TopologySpreadConstraint): object {
  return { ...rest, matchLabelKeys: nonEmpty(matchLabelKeys) };
}

/** Validates a constraint. Policies and minDomains are not checked, as upstream. */
function validateConstraint(
  { maxSkew, topologyKey, whenUnsatisfiable, labelSelector }: TopologySpreadConstraint,
  path: string,
  earlier: readonly TopologySpreadConstraint[],
): ConfigurationError[] {
  const errors: ConfigurationError[] = [];
  if (maxSkew <= 0) errors.push(invalid(`${path}.maxSkew`, maxSkew, 'not in valid range (0, inf)'));
  if (topologyKey === '') errors.push(required(`${path}.topologyKey`, 'can not be empty'));
  else {
    errors.push(
      ...labelKeyProblems(topologyKey).map((problem) => invalid(`${path}.topologyKey`, topologyKey, problem)),
    );
  }
  if (whenUnsatisfiable === '') errors.push(required(`${path}.whenUnsatisfiable`, 'can not be empty'));
  else if (!ACTIONS.includes(whenUnsatisfiable)) {
    errors.push(notSupported(`${path}.whenUnsatisfiable`, whenUnsatisfiable, ACTIONS));
  }
  if (labelSelector) {
    const detail = 'constraint must not define a selector, as they deduced for each pod';
    errors.push(forbidden(`${path}.labelSelector`, detail));
  }
  const isRepeated = earlier.some(
    (other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable,
  );
  if (isRepeated) errors.push(duplicate(path, `{${topologyKey}, ${whenUnsatisfiable}}`));
  return errors;
}

import { labelKeyProblems } from '../../api/label-syntax.ts';
import type { TopologySpreadConstraint } from '../../api/topology-spread.ts';
import { type ArgsKind, child, nonEmpty, readWith } from '../../config/args/args-kind.ts';
import { int32, list, string, stringMap, struct } from '../../config/decode/decoder.ts';
import {
  type ConfigurationError,
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../config/decode/field-error.ts';

export interface PodTopologySpreadArgs {
  /** The constraints of pods without constraints of their own; they have no labelSelector. */
  readonly defaultConstraints: readonly TopologySpreadConstraint[];
  /** `System`: the built-in constraints; `List`: those of `defaultConstraints`. */
  readonly defaultingType: 'System' | 'List';
}

const DEFAULTING_TYPES = ['System', 'List'] as const;
const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];

const labelSelector = struct({
  matchLabels: stringMap,
  matchExpressions: list(struct({ key: string, operator: string, values: list(string, '') }), {}),
});

const constraints = list(
  struct({
    maxSkew: int32,
    topologyKey: string,
    whenUnsatisfiable: string,
    labelSelector,
    minDomains: int32,
    nodeAffinityPolicy: string,
    nodeTaintsPolicy: string,
    matchLabelKeys: list(string, ''),
  }),
  {},
);

export const podTopologySpreadArgs: ArgsKind<PodTopologySpreadArgs> = {
  read: readWith(
    struct({ defaultConstraints: constraints, defaultingType: string }),
    ({ defaultConstraints = [], defaultingType }) => ({
      defaultConstraints: defaultConstraints.map(
        ({ maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', ...rest }) => ({
          maxSkew,
          topologyKey,
          whenUnsatisfiable,
          ...(rest as Partial<TopologySpreadConstraint>),
        }),
      ),
      defaultingType: (defaultingType || 'System') as PodTopologySpreadArgs['defaultingType'],
    }),
  ),

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

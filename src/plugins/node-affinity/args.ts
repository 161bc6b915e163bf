import type { NodeAffinity, NodeSelectorTerm } from '../../api/node-selector.ts';
import { type ArgsKind, child, readWith } from '../../config/args/args-kind.ts';
import { int32, list, string, struct } from '../../config/decode/decoder.ts';
import { preferredTermErrors, requiredTermErrors } from './node-selector-errors.ts';

export interface NodeAffinityArgs {
  /** The node affinity that every pod has in addition to its own. */
  readonly addedAffinity: NodeAffinity | undefined;
}

const requirements = list(struct({ key: string, operator: string, values: list(string, '') }), {});
const term = struct({ matchExpressions: requirements, matchFields: requirements });

type GivenRequirements = ReturnType<typeof requirements>;
type GivenTerm = NonNullable<ReturnType<typeof term>>;

export const nodeAffinityArgs: ArgsKind<NodeAffinityArgs> = {
  read: readWith(
    struct({
      addedAffinity: struct({
        requiredDuringSchedulingIgnoredDuringExecution: struct({ nodeSelectorTerms: list(term, {}) }),
        preferredDuringSchedulingIgnoredDuringExecution: list(struct({ weight: int32, preference: term }), {}),
      }),
    }),
    ({ addedAffinity }) => {
      if (addedAffinity === undefined) return { addedAffinity };
      const required = addedAffinity.requiredDuringSchedulingIgnoredDuringExecution;
      const preferred = addedAffinity.preferredDuringSchedulingIgnoredDuringExecution;
      return {
        addedAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: required && {
            nodeSelectorTerms: required.nodeSelectorTerms?.map(completeTerm),
          },
          preferredDuringSchedulingIgnoredDuringExecution: preferred?.map(({ weight = 0, preference = {} }) => ({
            weight,
            preference: completeTerm(preference),
          })),
        },
      };
    },
  ),

  zero: { addedAffinity: undefined },

  validate({ addedAffinity }, path) {
    const { requiredDuringSchedulingIgnoredDuringExecution: required } = addedAffinity ?? {};
    const { preferredDuringSchedulingIgnoredDuringExecution: preferred } = addedAffinity ?? {};
    const affinityPath = child(path, 'addedAffinity');
    return [
      ...requiredTermErrors(required, child(affinityPath, 'requiredDuringSchedulingIgnoredDuringExecution')),
      ...preferredTermErrors(preferred, child(affinityPath, 'preferredDuringSchedulingIgnoredDuringExecution')),
    ];
  },

  encode({ addedAffinity }) {
    if (addedAffinity === undefined) return {};
    const { requiredDuringSchedulingIgnoredDuringExecution: required, ...rest } = addedAffinity;
    if (!required) return { addedAffinity: rest };
    const { nodeSelectorTerms = null } = required;
    return { addedAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms }, ...rest } };
  },
};

function completeTerm({ matchExpressions, matchFields }: GivenTerm): NodeSelectorTerm {
  return { matchExpressions: completeAll(matchExpressions), matchFields: completeAll(matchFields) };
}

function completeAll(given: GivenRequirements): NodeSelectorTerm['matchExpressions'] {
  return given?.map(({ key = '', operator = '', values }) => ({ key, operator, values }));
}

import { type ArgsKind, child } from '../../config/args/args-kind.ts';
import { type Decoded, empty, int32, list, or, string, struct } from '../../config/decode/decoder.ts';
import { preferredTermErrors, requiredTermErrors } from './node-selector-errors.ts';

const requirement = struct({ key: or(string, ''), operator: or(string, ''), values: list(string, '') });
const requirements = list(requirement, empty(requirement));
const term = struct({ matchExpressions: requirements, matchFields: requirements });
const preferred = struct({ weight: or(int32, 0), preference: or(term, {}) });
const decode = struct({
  /** The node affinity that every pod has in addition to its own. */
  addedAffinity: struct({
    requiredDuringSchedulingIgnoredDuringExecution: struct({ nodeSelectorTerms: list(term, {}) }),
    preferredDuringSchedulingIgnoredDuringExecution: list(preferred, empty(preferred)),
  }),
});

export type NodeAffinityArgs = Decoded<typeof decode>;

export const nodeAffinityArgs: ArgsKind<NodeAffinityArgs> = {
  decode,

  zero: {},

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

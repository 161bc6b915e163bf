import { type ArgsKind, child } from '../../config/args/args-kind.ts';
import { type Decoded, empty, int32, or, struct } from '../../config/decode/decoder.ts';
import { invalid } from '../../config/decode/field-error.ts';

const decode = struct({
  minCandidateNodesPercentage: or(int32, 10),
  minCandidateNodesAbsolute: or(int32, 100),
});

/** How many candidates a preemption evaluates: a share of the potential nodes, but at least an absolute number. */
export type DefaultPreemptionArgs = Decoded<typeof decode>;

export const DEFAULT_PREEMPTION_ARGS = empty(decode);

export const defaultPreemptionArgs: ArgsKind<DefaultPreemptionArgs> = {
  decode,

  zero: { minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0 },

  validate({ minCandidateNodesPercentage: percentage, minCandidateNodesAbsolute: absolute }, path) {
    const percentageField = child(path, 'minCandidateNodesPercentage');
    const absoluteField = child(path, 'minCandidateNodesAbsolute');
    const errors = [];
    if (percentage < 0 || percentage > 100) {
      errors.push(invalid(percentageField, percentage, 'not in valid range [0, 100]'));
    }
    if (absolute < 0) errors.push(invalid(absoluteField, absolute, 'not in valid range [0, inf)'));
    if (percentage === 0 && absolute === 0) {
      const both = 'cannot be zero at the same time as';
      errors.push(invalid(percentageField, 0, `${both} minCandidateNodesAbsolute`));
      errors.push(invalid(absoluteField, 0, `${both} minCandidateNodesPercentage`));
    }
    return errors;
  },

  encode: (args) => ({ ...args }),
};

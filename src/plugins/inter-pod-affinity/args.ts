import { type ArgsKind, child } from '../../config/args/args-kind.ts';
import { boolean, type Decoded, empty, int32, or, struct } from '../../config/decode/decoder.ts';
import { invalid } from '../../config/decode/field-error.ts';

const decode = struct({
  /** The weight of a required affinity term of an existing pod in the score, 0 to 100. */
  hardPodAffinityWeight: or(int32, 1),
  ignorePreferredTermsOfExistingPods: or(boolean, false),
});

export type InterPodAffinityArgs = Decoded<typeof decode>;

export const DEFAULT_INTER_POD_AFFINITY_ARGS = empty(decode);

export const interPodAffinityArgs: ArgsKind<InterPodAffinityArgs> = {
  decode,

  zero: { hardPodAffinityWeight: 0, ignorePreferredTermsOfExistingPods: false },

  validate({ hardPodAffinityWeight: weight }, path) {
    if (weight >= 0 && weight <= 100) return [];
    return [invalid(child(path, 'hardPodAffinityWeight'), weight, 'not in valid range [0, 100]')];
  },

  encode: (args) => ({ ...args }),
};

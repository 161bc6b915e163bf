import { type ArgsKind, child, readWith } from '../../config/args/args-kind.ts';
import { boolean, int32, struct } from '../../config/decode/decoder.ts';
import { invalid } from '../../config/decode/field-error.ts';

export interface InterPodAffinityArgs {
  /** The weight of a required affinity term of an existing pod in the score, 0 to 100. */
  readonly hardPodAffinityWeight: number;
  readonly ignorePreferredTermsOfExistingPods: boolean;
}

export const DEFAULT_INTER_POD_AFFINITY_ARGS: InterPodAffinityArgs = {
  hardPodAffinityWeight: 1,
  ignorePreferredTermsOfExistingPods: false,
};

export const interPodAffinityArgs: ArgsKind<InterPodAffinityArgs> = {
  read: readWith(struct({ hardPodAffinityWeight: int32, ignorePreferredTermsOfExistingPods: boolean }), (given) => ({
    ...DEFAULT_INTER_POD_AFFINITY_ARGS,
    ...(given as Partial<InterPodAffinityArgs>),
  })),

  zero: { hardPodAffinityWeight: 0, ignorePreferredTermsOfExistingPods: false },

  validate({ hardPodAffinityWeight: weight }, path) {
    if (weight >= 0 && weight <= 100) return [];
    return [invalid(child(path, 'hardPodAffinityWeight'), weight, 'not in valid range [0, 100]')];
  },

  encode: (args) => ({ ...args }),
};

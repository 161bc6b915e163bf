import { type ArgsKind, child, readWith } from '../../config/args/args-kind.ts';
import { duration, struct } from '../../config/decode/decoder.ts';
import { invalid } from '../../config/decode/field-error.ts';
import { formatDuration } from '../../lib/go-duration.ts';

/** The arguments are only read and checked, because Berth allocates no resource claims. */
export interface DynamicResourcesArgs {
  readonly filterTimeoutNanoseconds: bigint | undefined;
  readonly bindingTimeoutNanoseconds: bigint | undefined;
}

const SECOND = 1_000_000_000n;

export const dynamicResourcesArgs: ArgsKind<DynamicResourcesArgs> = {
  read: readWith(
    struct({ filterTimeout: duration({ nullable: true }), bindingTimeout: duration({ nullable: true }) }),
    ({ filterTimeout = 10n * SECOND, bindingTimeout = 600n * SECOND }) => ({
      filterTimeoutNanoseconds: filterTimeout,
      bindingTimeoutNanoseconds: bindingTimeout,
    }),
  ),

  zero: { filterTimeoutNanoseconds: undefined, bindingTimeoutNanoseconds: undefined },

  validate({ filterTimeoutNanoseconds: filter, bindingTimeoutNanoseconds: binding }, path) {
    const errors = [];
    if (filter !== undefined && filter < 0n) {
      errors.push(invalid(child(path, 'filterTimeout'), formatDuration(filter), 'must be zero or positive'));
    }
    if (binding !== undefined && binding < SECOND) {
      errors.push(invalid(child(path, 'bindingTimeout'), formatDuration(binding), 'must be at least 1 second'));
    }
    return errors;
  },

  encode: ({ filterTimeoutNanoseconds: filter, bindingTimeoutNanoseconds: binding }) => ({
    filterTimeout: filter === undefined ? undefined : formatDuration(filter),
    bindingTimeout: binding === undefined ? undefined : formatDuration(binding),
  }),
};

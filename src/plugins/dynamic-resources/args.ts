import { type ArgsKind, child } from '../../config/args/args-kind.ts';
import { duration, mapped, or, struct } from '../../config/decode/decoder.ts';
import { invalid } from '../../config/decode/field-error.ts';
import { formatDuration } from '../../lib/go-duration.ts';

/**
 * `filterTimeoutNanoseconds`: the time that the search for devices on one node may take; 0: any. The time is the
 * scheduler's, which stands still during a search on a virtual clock.
 */
export interface DynamicResourcesArgs {
  readonly filterTimeoutNanoseconds: bigint | undefined;
  readonly bindingTimeoutNanoseconds: bigint | undefined;
}

const SECOND = 1_000_000_000n;
const time = duration({ nullable: true });

export const dynamicResourcesArgs: ArgsKind<DynamicResourcesArgs> = {
  decode: mapped(
    struct({ filterTimeout: or(time, 10n * SECOND), bindingTimeout: or(time, 600n * SECOND) }),
    ({ filterTimeout, bindingTimeout }) => ({
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

import { type ArgsKind, child, nonEmpty } from '../../config/args/args-kind.ts';
import { type Decoded, struct } from '../../config/decode/decoder.ts';
import { duplicate, invalid } from '../../config/decode/field-error.ts';
import { resourceSpecs } from './resource-specs.ts';

const decode = struct({
  /** The resources whose use is balanced; every weight is 1. */
  resources: resourceSpecs,
});

export type NodeResourcesBalancedAllocationArgs = Decoded<typeof decode>;

export const balancedAllocationArgs: ArgsKind<NodeResourcesBalancedAllocationArgs> = {
  decode,

  zero: { resources: [] },

  validate({ resources }, path) {
    return resources.flatMap(({ name, weight }, i) => {
      const field = `${child(path, 'resources')}[${i}]`;
      const isRepeated = resources.slice(0, i).some((other) => other.name === name);
      return [
        ...(isRepeated ? [duplicate(`${field}.name`, name)] : []),
        ...(weight === 1 ? [] : [invalid(`${field}.weight`, weight, 'must be 1')]),
      ];
    });
  },

  encode: ({ resources }) => ({ resources: nonEmpty(resources) }),
};

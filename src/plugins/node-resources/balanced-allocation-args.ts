import { type ArgsKind, child, nonEmpty, readWith } from '../../config/args/args-kind.ts';
import { struct } from '../../config/decode/decoder.ts';
import { duplicate, invalid } from '../../config/decode/field-error.ts';
import type { ResourceSpec } from '../../framework/column-forms.ts';
import { resourceSpecs, withDefaultResources } from './resource-specs.ts';

export interface NodeResourcesBalancedAllocationArgs {
  /** The resources whose use is balanced; every weight is 1. */
  readonly resources: readonly ResourceSpec[];
}

export const balancedAllocationArgs: ArgsKind<NodeResourcesBalancedAllocationArgs> = {
  read: readWith(struct({ resources: resourceSpecs }), ({ resources }) => ({
    resources: withDefaultResources(resources),
  })),

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

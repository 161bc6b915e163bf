import { labelKeyProblems } from '../../api/label-syntax.ts';
import { type ArgsKind, child, nonEmpty } from '../../config/args/args-kind.ts';
import { utilizationShape, validateShape } from '../../config/args/utilization-shape.ts';
import { type Complete, type Decoded, list, or, string, struct } from '../../config/decode/decoder.ts';
import {
  type ConfigurationError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../config/decode/field-error.ts';
import { CPU_AND_MEMORY, resourceSpecs } from './resource-specs.ts';

export interface NodeResourcesFitArgs {
  /** The extended resources that the filter ignores. */
  readonly ignoredResources: readonly string[];
  /** The domains whose resources the filter ignores: `example.com` for `example.com/gpu`. */
  readonly ignoredResourceGroups: readonly string[];
  /** The strategy; undefined only in an `__internal` document, which validation refuses. */
  readonly scoringStrategy: ScoringStrategy | undefined;
}

const STRATEGY_TYPES = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'] as const;

const strategy = struct({
  /** Validation rejects all other types. */
  type: or(string, '') as Complete<(typeof STRATEGY_TYPES)[number]>,
  resources: resourceSpecs,
  /** The curve of RequestedToCapacityRatio; undefined for the other types. */
  requestedToCapacityRatio: struct({ shape: or(utilizationShape, []) }),
});

/** How NodeResourcesFit turns the use of a node into a score. */
export type ScoringStrategy = Decoded<typeof strategy>;

export const DEFAULT_STRATEGY: ScoringStrategy = { type: 'LeastAllocated', resources: CPU_AND_MEMORY };

const names = or(list(string, ''), []);

export const nodeResourcesFitArgs: ArgsKind<NodeResourcesFitArgs> = {
  decode: struct({
    ignoredResources: names,
    ignoredResourceGroups: names,
    scoringStrategy: or(strategy, DEFAULT_STRATEGY),
  }),

  zero: { ignoredResources: [], ignoredResourceGroups: [], scoringStrategy: undefined },

  validate({ ignoredResources, ignoredResourceGroups, scoringStrategy }, path) {
    return [
      ...validateNames(ignoredResources, child(path, 'ignoredResources'), false),
      ...validateNames(ignoredResourceGroups, child(path, 'ignoredResourceGroups'), true),
      ...validateStrategy(scoringStrategy, child(path, 'scoringStrategy')),
    ];
  },

  encode: ({ ignoredResources, ignoredResourceGroups, scoringStrategy }) => ({
    ignoredResources: nonEmpty(ignoredResources),
    ignoredResourceGroups: nonEmpty(ignoredResourceGroups),
    scoringStrategy,
  }),

  isValidatedLate: true,
  withIgnoredResources: (args, ignoredResources) => ({ ...args, ignoredResources }),
};

function validateNames(names: readonly string[], path: string, areGroups: boolean): ConfigurationError[] {
  return names.flatMap((name, i) => {
    const field = `${path}[${i}]`;
    const errors = labelKeyProblems(name).map((problem) => invalid(field, name, problem));
    if (!areGroups || !name.includes('/')) return errors;
    return [invalid(field, name, "resource group name can't contain '/'"), ...errors];
  });
}

function validateStrategy(strategy: ScoringStrategy | undefined, path: string): ConfigurationError[] {
  if (strategy === undefined) return [required(path, 'ScoringStrategy field is required')];
  const { type, resources, requestedToCapacityRatio: ratio } = strategy;
  const errors: ConfigurationError[] = [];
  if (!STRATEGY_TYPES.includes(type)) {
    errors.push(notSupported(child(path, 'type'), type, STRATEGY_TYPES));
  }
  for (const [i, { name, weight }] of resources.entries()) {
    if (weight > 0 && weight <= 100) continue;
    const field = `${child(path, 'resources')}[${i}].weight`;
    errors.push(invalid(field, weight, `resource weight of ${name} not in valid range (0, 100]`));
  }
  const ratioPath = child(path, 'requestedToCapacityRatio');
  if (type !== 'RequestedToCapacityRatio') {
    const unused = 'must be nil when type is not RequestedToCapacityRatio';
    return ratio === undefined ? errors : [...errors, forbidden(ratioPath, unused)];
  }
  if (ratio === undefined) {
    return [...errors, required(ratioPath, 'must be specified when type is RequestedToCapacityRatio')];
  }
  return [...errors, ...validateShape(ratio.shape, child(ratioPath, 'shape'))];
}

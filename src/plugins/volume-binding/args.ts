import { type ArgsKind, child, readWith } from '../../config/args/args-kind.ts';
import { type UtilizationShapePoint, utilizationShape } from '../../config/args/utilization-shape.ts';
import { int64, struct } from '../../config/decode/decoder.ts';
import { invalid } from '../../config/decode/field-error.ts';

export interface VolumeBindingArgs {
  readonly bindTimeoutSeconds: number;
  /** Validation always rejects a shape, because it belongs to a feature that is off in v1.36. */
  readonly shape: readonly UtilizationShapePoint[] | undefined;
}

export const DEFAULT_VOLUME_BINDING_ARGS: VolumeBindingArgs = { bindTimeoutSeconds: 600, shape: undefined };

export const volumeBindingArgs: ArgsKind<VolumeBindingArgs> = {
  read: readWith(struct({ bindTimeoutSeconds: int64, shape: utilizationShape }), (given) => ({
    ...DEFAULT_VOLUME_BINDING_ARGS,
    ...(given as Partial<VolumeBindingArgs>),
  })),

  zero: { bindTimeoutSeconds: 0, shape: undefined },

  validate({ bindTimeoutSeconds, shape }, path) {
    const errors = [];
    if (bindTimeoutSeconds < 0) {
      const detail = 'invalid BindTimeoutSeconds, should not be a negative value';
      errors.push(invalid(child(path, 'bindTimeoutSeconds'), bindTimeoutSeconds, detail));
    }
    if (shape !== undefined) {
      // Upstream shows its internal type, whose field names begin with capital letters.
      const shown = shape.map(({ utilization, score }) => ({ Utilization: utilization, Score: score }));
      const detail = 'unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring';
      errors.push(invalid(child(path, 'shape'), shown, detail));
    }
    return errors;
  },

  encode: ({ bindTimeoutSeconds }) => ({ bindTimeoutSeconds }),
};

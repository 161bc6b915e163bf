import { type ArgsKind, child } from '../../config/args/args-kind.ts';
import { utilizationShape } from '../../config/args/utilization-shape.ts';
import { type Decoded, empty, int64, or, struct } from '../../config/decode/decoder.ts';
import { invalid } from '../../config/decode/field-error.ts';

const decode = struct({
  bindTimeoutSeconds: or(int64, 600),
  /** Validation always rejects a shape, because it belongs to a feature that is off in v1.36. */
  shape: utilizationShape,
});

export type VolumeBindingArgs = Decoded<typeof decode>;

export const DEFAULT_VOLUME_BINDING_ARGS = empty(decode);

export const volumeBindingArgs: ArgsKind<VolumeBindingArgs> = {
  decode,

  zero: { bindTimeoutSeconds: 0 },

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

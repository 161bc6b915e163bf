import { type Decoded, empty, int32, list, or, struct } from '../decode/decoder.ts';
import { type ConfigurationError, invalid, required } from '../decode/field-error.ts';

const point = struct({ utilization: or(int32, 0), score: or(int32, 0) });

/** A point of the RequestedToCapacityRatio curve: utilization 0 to 100 percent, score 0 to 10. */
export type UtilizationShapePoint = Decoded<typeof point>;

export const utilizationShape = list(point, empty(point));

export function validateShape(shape: readonly UtilizationShapePoint[], path: string): ConfigurationError[] {
  if (shape.length === 0) return [required(path, 'at least one point must be specified')];
  const errors: ConfigurationError[] = [];
  const unsorted = shape.findIndex(({ utilization }, i) => {
    return i > 0 && utilization <= (shape[i - 1]?.utilization ?? Number.NEGATIVE_INFINITY);
  });
  if (unsorted > 0) {
    const field = `${path}[${unsorted}].utilization`;
    errors.push(invalid(field, shape[unsorted]?.utilization, 'values must be sorted in increasing order'));
  }
  for (const [i, { utilization, score }] of shape.entries()) {
    if (utilization < 0 || utilization > 100) {
      errors.push(invalid(`${path}[${i}].utilization`, utilization, 'not in valid range [0, 100]'));
    }
    if (score < 0 || score > 10) errors.push(invalid(`${path}[${i}].score`, score, 'not in valid range [0, 10]'));
  }
  return errors;
}

import { empty, int64, list, mapped, or, orIfZero, string, struct } from '../../config/decode/decoder.ts';
import type { ResourceSpec } from '../../framework/column-forms.ts';

/** The resources that scoring considers when the configuration names none. */
export const CPU_AND_MEMORY: readonly ResourceSpec[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

const resourceSpec = struct({ name: or(string, ''), weight: orIfZero(int64, 1) });
const givenSpecs = list(resourceSpec, empty(resourceSpec));

/** An empty list stands for the default, too. */
export const resourceSpecs = or(
  mapped(givenSpecs, (given) => (given.length === 0 ? CPU_AND_MEMORY : given)),
  CPU_AND_MEMORY,
);

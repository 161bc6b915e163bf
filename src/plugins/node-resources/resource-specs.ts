import { int64, list, string, struct } from '../../config/decode/decoder.ts';
import type { ResourceSpec } from '../../framework/column-forms.ts';

/** The resources that scoring considers when the configuration names none. */
export const CPU_AND_MEMORY: readonly ResourceSpec[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

export const resourceSpecs = list(struct({ name: string, weight: int64 }), {});

type GivenSpecs = ReturnType<typeof resourceSpecs>;

/** Fills in defaults: cpu and memory for an empty list, 1 for a weight of 0. */
export function withDefaultResources(given: GivenSpecs): readonly ResourceSpec[] {
  if (given === undefined || given.length === 0) return CPU_AND_MEMORY;
  return given.map(({ name = '', weight }) => ({ name, weight: weight || 1 }));
}

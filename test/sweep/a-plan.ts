import type { SweepPlan } from '../../src/sweep/sweep-plan.ts';

/** A small sweep over synthetic clusters. */
export const PLAN: SweepPlan = {
  mode: 'place',
  inputs: { manifests: [], openb: null, alibaba: null, isStrict: false, validate: 'warn' },
  parameters: { kind: ['hetero'], nodes: [60], pods: [150], tieBreak: ['random'] },
  list: null,
  seeds: '1..12',
  hasTimes: false,
};
export const EXECUTOR = { engine: 'simd', index: true } as const;

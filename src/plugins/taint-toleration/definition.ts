import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { TAINT_TOLERATION, TaintToleration } from './plugin.ts';

export const taintToleration: PluginDefinition = {
  name: TAINT_TOLERATION,
  points: ['filter', 'preScore', 'score'],
  defaultWeight: 3,
  make: () => new TaintToleration(),
};

import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { SCHEDULING_GATES, SchedulingGates } from './plugin.ts';

export const schedulingGates: PluginDefinition = {
  name: SCHEDULING_GATES,
  points: ['preEnqueue'],
  make: () => new SchedulingGates(),
};

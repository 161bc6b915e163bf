import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { NODE_UNSCHEDULABLE, NodeUnschedulable } from './plugin.ts';

export const nodeUnschedulable: PluginDefinition = {
  name: NODE_UNSCHEDULABLE,
  points: ['filter'],
  make: () => new NodeUnschedulable(),
};

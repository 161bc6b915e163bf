import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { NODE_NAME, NodeName } from './plugin.ts';

export const nodeName: PluginDefinition = {
  name: NODE_NAME,
  points: ['filter'],
  make: () => new NodeName(),
};
